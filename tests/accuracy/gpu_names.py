"""Cards as records name them -> ids of the catalogue."""
import re

# The first pattern that matches the name counts.
PATTERNS = [(re.compile(pattern, re.IGNORECASE), card) for pattern, card in [
    (r"RTX PRO 6000.*Max-?Q", "rtx-pro-6000-blackwell-max-q-workstation-edition"),
    (r"RTX PRO 6000.*Server", "rtx-pro-6000-blackwell-server-edition"),
    (r"RTX PRO 6000", "rtx-pro-6000-blackwell-workstation-edition"),
    (r"RTX 6000 Ada", "rtx-6000-ada"),
    (r"RTX 5000 Ada", "rtx-5000-ada"),
    (r"RTX 4000 Ada", "rtx-4000-ada"),
    (r"RTX A6000|\bA6000", "rtx-a6000"),
    (r"RTX A4000", "rtx-a4000"),
    (r"5090 Laptop", "geforce-rtx-5090-laptop-gpu"),
    (r"4090 Laptop", "geforce-rtx-4090-laptop-gpu"),
    (r"4080 Laptop", "geforce-rtx-4080-laptop-gpu"),
    (r"4060 Laptop", "geforce-rtx-4060-laptop-gpu"),
    (r"RTX 5090", "geforce-rtx-5090"),
    (r"RTX 5080", "geforce-rtx-5080"),
    (r"RTX 5070 Ti", "geforce-rtx-5070-ti"),
    (r"RTX 5070", "geforce-rtx-5070"),
    (r"RTX 5060 Ti", "geforce-rtx-5060-ti-16gb"),
    (r"RTX 4090", "geforce-rtx-4090"),
    (r"RTX 4080 SUPER", "geforce-rtx-4080-super"),
    (r"RTX 4080", "geforce-rtx-4080"),
    (r"RTX 4070 Ti SUPER", "geforce-rtx-4070-ti-super"),
    (r"RTX 4070 Ti", "geforce-rtx-4070-ti"),
    (r"RTX 4070", "geforce-rtx-4070"),
    (r"RTX 4060 Ti", "geforce-rtx-4060-ti-16gb"),
    (r"RTX 4060", "geforce-rtx-4060"),
    (r"RTX 3090 Ti", "geforce-rtx-3090-ti"),
    (r"RTX 3090", "geforce-rtx-3090"),
    (r"RTX 3080 Ti", "geforce-rtx-3080-ti"),
    (r"RTX 3080", "geforce-rtx-3080-10gb"),
    (r"RTX 3070", "geforce-rtx-3070"),
    (r"RTX 3060", "geforce-rtx-3060-12gb"),
    (r"RTX 2080 Ti", "geforce-rtx-2080-ti"),
    (r"GB10|DGX Spark", "gb10-dgx-spark"),
    (r"Tesla T4|\bT4\b|14\.74 GiB", "t4"),  # no other card shows 14.74 GiB
    (r"\bL40S", "l40s"),
    (r"\bL40\b", "l40"),
    (r"\bL4\b|22\.1\d GiB", "l4"),
    (r"\bA40\b", "a40"),
    (r"\bA30\b", "a30"),
    (r"\bA10G?\b", "a10"),
    (r"A100.*40 ?GB|39\.\d+ GiB", "a100-40gb-pcie"),
    (r"A100.*PCIe", "a100-80gb-pcie"),
    (r"A100", "a100-80gb-sxm4"),
    (r"H200", "h200-sxm-141gb"),
    (r"H20\b", "h100-80gb-sxm5"),  # the same generation; not in the catalogue
    (r"H100.*PCIe", "h100-80gb-pcie"),
    (r"H100", "h100-80gb-sxm5"),
    (r"B200|B300", "b200-sxm-hgx-180gb"),
    (r"MI300X", "instinct-mi300x"),
    (r"MI250", "instinct-mi250"),
    (r"79\.\d+ GiB|80 GB", "h100-80gb-sxm5"),
    (r"23\.\d+ GiB|24 ?GB", "geforce-rtx-3090"),
    (r"15\.\d+ GiB|16 ?GB", "geforce-rtx-4080"),
]]
# Where a number does not depend on the card and the record does not name one.
ANY = "geforce-rtx-3090"


def one(name):
    """The id of a card, or None."""
    for pattern, card in PATTERNS:
        if pattern.search(name or ""):
            return card
    return None


def listed(text):
    """'2x RTX 4090 + RTX A6000' -> three ids in that order; None for a card that is not known."""
    cards = []
    for part in (text or "").split(" + "):
        count = re.match(r"\s*(\d+)\s*[×x]\s", part)
        cards += [one(part)] * (int(count.group(1)) if count else 1)
    return cards


def several(text, count):
    """Exactly `count` cards, as far as the text names them."""
    cards = [card or ANY for card in listed(text)]
    return (cards + [cards[-1]] * count)[:count]


def is_foreign(text):
    """Accelerators whose libraries the calculator knows nothing of."""
    return bool(re.search(r"Ascend|NPU|Intel XPU|Gaudi|TPU", text or "", re.IGNORECASE))

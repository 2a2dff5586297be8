// The whole answer as plain data: what one request needs, and where it fits. The page, the command line and the JSON answer
// all show this and nothing else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/fit/accuracy.h"
#include "core/fit/verdict.h"
#include "core/machine/catalogue.h"
#include "core/machine/rules.h"
#include "core/memory/ledger.h"
#include "core/scenario/request.h"
#include "core/scenario/resolve.h"
#include "core/scenario/scenario.h"

namespace vram {

/// Everything that is data: facts, machines, and the date they are as of.
struct Catalog {
  Facts facts;
  MachineCatalogue machines;
  std::vector<JobAccuracy> accuracy;
  std::string date;  ///< ISO date of the newest file
};

struct GpuFit {
  std::uint32_t slot = 0;    ///< index into Scenario::gpus
  std::uint32_t device = 0;  ///< index into Ledger::devices
  Memory memory;             ///< peaks of that device
  Verdict verdict = Verdict::no;
};

struct TierFit {
  const Tier* tier = nullptr;
  Verdict verdict = Verdict::no;
  Bytes need;  ///< expected need + display + margin on a card of this tier
};

struct ConfigurationFit {
  const Configuration* configuration = nullptr;
  Verdict verdict = Verdict::no;  ///< of the GPUs; `no` as well when a job rule fails
  std::vector<RuleCheck> rules;   ///< job rules; machine rules only where broken
  Bytes need;                     ///< expected need + display + margin on the busiest card
  Bytes usable;                   ///< of that card
  Bytes spare;                    ///< usable - need, 0 when it does not fit
  const char* reason = "";        ///< why not: "memory", a rule's id, or the id of the error that refused the request
  Count most_context;             ///< running: the context that the spare memory would take; 0 = not asked
  Count most_batch;               ///< training: likewise the sequences per GPU
};

/// A piece of advice: id, level, numbers; catalog/i18n holds its sentence ("advice.<id>").
struct Advice {
  enum class Level : std::uint8_t { info, advise, must };
  enum class Topic : std::uint8_t { cards, board, power, host, growth };
  const char* id = "";
  Topic topic = Topic::cards;
  Level level = Level::info;
  std::vector<RuleCheck::Value> values;
  const char* source = "";
};

/// One changed field that makes the job fit or saves memory; two where no single one is enough.
struct Suggestion {
  struct Change {
    Field field = Field::weights;
    std::string value;
  };
  Field field = Field::weights;
  std::string value;  ///< as text_of() writes it
  Bytes saves;
  Verdict verdict = Verdict::no;
  const char* cost = "";  ///< "slower_step", "quality", "host_memory", ...: of two changes the dearer one's
  std::optional<Change> also = std::nullopt;
};

struct Evaluation {
  Request request;
  Scenario scenario;
  Ledger ledger;
  Memory memory;  ///< of the busiest GPU
  Phase peak_phase = Phase::load;
  std::vector<GpuFit> gpus;       ///< one per Scenario::gpus
  Verdict verdict = Verdict::no;  ///< the worst card's
  std::vector<TierFit> tiers;
  std::vector<ConfigurationFit> configurations;  ///< fitting ones first, smallest first; then the others, nearest first
  std::vector<Suggestion> nearest_changes;       ///< where no machine fits: what would have to change on the first
  std::vector<Advice> advice;                    ///< the most urgent first
  std::vector<Suggestion> suggestions;
  const JobAccuracy* accuracy = nullptr;  ///< of runs of this kind; nullptr where none was measured
};

/// One estimate with everything the page shows. Errors as resolve().
Result<Evaluation> evaluate(const Request& request, const Catalog& catalog);

inline constexpr std::array<std::string_view, 5> kTopicNames = {"cards", "board", "power", "host", "growth"};

/// Only scenario, ledger and the verdict on the request's own GPUs: what searches and benchmarks repeat.
Evaluation assess(const Request& request, Scenario scenario);

/// Reads the catalogue's files; faults do not stop it. `files` as in core/base/embedded_files.h.
struct CatalogFile {
  std::string_view
      name;  ///< "models.json", "gpus.json", "platforms.json", "configurations.json", "tiers.json", "runtimes.json"
  std::string_view text;
};
struct CatalogFault {
  std::string file;
  Error error;
};
Catalog read_catalog(std::span<const CatalogFile> files, std::vector<CatalogFault>& faults);
/// The same with a site's own file over it (catalog/README.md, "A catalogue of your own"): lists of gpus, platforms,
/// configurations, tiers and models, whose entries replace those of the same id and are added to the others, or take the
/// place of a whole list that `replace` names. What is wrong in it is a fault of the file "site"; the rest lives.
Catalog read_catalog(std::span<const CatalogFile> files, std::string_view site, std::vector<CatalogFault>& faults);
inline constexpr std::string_view kSiteFile = "site";

}  // namespace vram

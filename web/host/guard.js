// After a trap the module's memory cannot be trusted: the first exception ends it.

/** The same methods, but the first that throws calls failed(error); from then on all do nothing. */
export function guarded(module, failed) {
  let broken = false;
  return new Proxy(module, {
    get: (target, name) => (...values) => {
      if (broken) return undefined;
      try {
        return target[name](...values);
      } catch (error) {
        broken = true;
        failed(error);
        return undefined;
      }
    },
  });
}

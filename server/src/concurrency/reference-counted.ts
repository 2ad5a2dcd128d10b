/**
 * What `make` makes, kept for all who use it at the same time, and made again when somebody asks for it once nobody does: between the
 * two lies a look through all memory, so that whoever asks again and again does not have it made each time.
 */
export function whileUsed<Made extends object>(make: () => Made): () => Made {
  let made: WeakRef<Made> | undefined
  return () => {
    const known = made?.deref()
    if (known !== undefined) return known
    const fresh = make()
    made = new WeakRef(fresh)
    return fresh
  }
}

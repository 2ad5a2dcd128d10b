/** The elements in chunks of at most `size`, in their order. */
export function inChunks<Each>(all: readonly Each[], size: number): Each[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

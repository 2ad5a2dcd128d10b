/** How often something is done that took too long. */
const mostTimes = 3

/**
 * The processor time of this process that something takes, in microseconds. A machine that is kept from its processors for a second counts that
 * second as work of whoever was at work: what took more than `most` is done again, twice at most, and the least is told. What is slow
 * by itself is slow each time.
 */
export async function leastWork(most: number, run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < mostTimes && least > most; time += 1) {
    const begun = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, user + system)
  }
  return least
}

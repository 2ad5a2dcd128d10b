interface StopLog {
  info(message: string): void
  error(facts: object, message: string): void
}

/**
 * Stops once on SIGINT, SIGTERM or SIGHUP, then ends the process: 0 when everything was put down, 1 when not. A second
 * signal ends it at once.
 */
export function stopOnSignal(log: StopLog, stop: () => Promise<void>): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      log.info('stopping: requests in flight are finished first')
      stop().then(
        () => process.exit(0),
        (error: Error) => {
          log.error({ error: error.name, reason: error.message }, 'could not stop cleanly')
          process.exit(1)
        },
      )
    })
  }
}

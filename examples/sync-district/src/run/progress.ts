import { Presets, SingleBar } from 'cli-progress'

/** How far a list of records has come: a bar on a terminal, a line at every tenth elsewhere. */
export interface Progress {
  start(name: string, total: number, done: number): void
  step(): void
  stop(): void
  /** A line of its own, above the bar. */
  say(line: string): void
}

/** Progress on standard error. */
export function createProgress(): Progress {
  return process.stderr.isTTY ? barProgress() : lineProgress()
}

function barProgress(): Progress {
  let bar: SingleBar | null = null
  const stop = () => {
    bar?.stop()
    bar = null
  }
  return {
    start(name, total, done) {
      stop()
      const format = `${name.padEnd(12)} {bar} {value} of {total}`
      bar = new SingleBar({ format, hideCursor: true, gracefulExit: false }, Presets.shades_classic)
      bar.start(total, done)
    },
    step() {
      bar?.increment()
    },
    stop,
    say(line) {
      process.stderr.write(`\r\u001b[K${line}\n`)
    },
  }
}

function lineProgress(): Progress {
  let current = { name: '', total: 0, done: 0 }
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const show = () => say(`${current.name.padEnd(12)} ${current.done} of ${current.total}`)
  return {
    start(name, total, done) {
      current = { name, total, done }
      show()
    },
    step() {
      const { total, done } = current
      current.done = done + 1
      if (Math.floor((10 * (done + 1)) / total) > Math.floor((10 * done) / total)) show()
    },
    stop() {},
    say,
  }
}

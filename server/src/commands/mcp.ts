import type { Command } from 'commander'
import { runsUntilStopped } from '../app/shutdown.ts'
import { CommandError } from '../errors/index.ts'

/** `matricula mcp`: the Client API of a service as tools for an assistant. */
export function addMcpCommand(command: Command): void {
  command
    .option('--allow-writes', 'also offer operations that write')
    .addHelpText(
      'after',
      `
It talks over HTTP to the service at MATRICULA_URL (http://127.0.0.1:8080 unless set), with the token in MATRICULA_TOKEN, and to no
database. What the token may not do is not offered.`,
    )
    .action(serve)
}

async function serve({ allowWrites = false }: { allowWrites?: boolean }): Promise<void> {
  const { MATRICULA_URL: url = 'http://127.0.0.1:8080', MATRICULA_TOKEN: token = '' } = process.env
  if (token === '') {
    throw new CommandError(
      'invalid_configuration',
      'MATRICULA_TOKEN is not set. Set it to a token of the institution: matricula token create.',
    )
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new CommandError(
      'invalid_configuration',
      `MATRICULA_URL is ${url}, which is not the address of a service, such as https://matricula.example.`,
    )
  }
  runsUntilStopped()
  // No other command needs what this loads.
  const { serveTools } = await import('@matricula/mcp')
  serveTools({
    url,
    token,
    allowsWrites: allowWrites,
    onNotice: (line) => process.stderr.write(`matricula: ${line}\n`),
  })
}

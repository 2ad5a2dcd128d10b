// Makes the release: one archive with everything built and the exact versions of what it needs, which runs without TypeScript, and beside it
// the client for those who call the service.
//
//   node deploy/make-release.js [FOLDER]    writes matricula-<version>.tgz and matricula-client-<version>.tgz there and prints their
//                                           names; compile first: npm run build
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const target = resolve(process.argv[2] ?? '.')
const workspaces = ['contract', 'pages', 'console', 'sdk', 'mcp', 'server', 'demo']
const beside = ['docs', 'deploy', 'README.md', 'CHANGELOG.md', 'LICENSE']
const parts = {
  contract: ['dist'],
  pages: ['dist', 'assets'],
  console: ['dist/site'],
  sdk: ['dist'],
  mcp: ['dist'],
  server: ['dist', 'assets', 'bin', 'migrations'],
  demo: ['dist'],
}

/** What is compiled and of no use to whoever runs it. */
function isWanted(path) {
  return !/\.(?:test|fixture|harness)\.|\.tsbuildinfo$|\.d\.ts$|\/dist\/(?:testing|generation)(?:\/|$)/.test(
    `/${relative(root, path)}`,
  )
}

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const write = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

const folder = mkdtempSync(join(tmpdir(), 'matricula-release-'))
try {
  for (const name of beside) cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const workspace of workspaces) {
    for (const part of parts[workspace]) {
      cpSync(join(root, workspace, part), join(folder, workspace, part), { recursive: true, filter: isWanted })
    }
    const { devDependencies, scripts, ...manifest } = read(join(root, workspace, 'package.json'))
    write(join(folder, workspace, 'package.json'), manifest)
  }
  const { devDependencies, scripts, overrides, ...manifest } = read(join(root, 'package.json'))
  const { start, demo } = scripts
  const files = [...workspaces, ...beside, 'npm-shrinkwrap.json']
  const own = { ...manifest, private: true, workspaces, files, scripts: { start, demo } }
  // An override that names a dependency of development says nothing without it.
  const lasting = Object.entries(overrides ?? {}).filter(([, version]) => !String(version).startsWith('$'))
  write(join(folder, 'package.json'), { ...own, overrides: Object.fromEntries(lasting) })
  // The versions are those that were tested; what only development needs is left out of the list.
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  const npm = (...words) =>
    execFileSync('npm', [...words, '--silent', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' })
  npm('install', '--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved')
  npm('shrinkwrap')
  mkdirSync(target, { recursive: true })
  const pack = (options) =>
    join(
      target,
      execFileSync('npm', ['pack', '--silent', '--pack-destination', target], options).trim().split('\n').at(-1),
    )
  process.stdout.write(
    `${pack({ cwd: folder, encoding: 'utf8' })}\n${pack({ cwd: join(root, 'sdk'), encoding: 'utf8' })}\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

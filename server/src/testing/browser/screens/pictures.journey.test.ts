import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ConsoleBuild, type ConsoleFile, readConsoleBuild } from '../../../http/pages/console/console-build.ts'
import { aDocument, anApplication, aRequest, aStudent } from '../../fixtures/factories.ts'
import { aSampleDocument } from '../../fixtures/files/sample-documents.ts'
import { withoutBrowser } from '../../fixtures/page-client.ts'
import { seedTenant } from '../../fixtures/seeded-tenant.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { getDifference, maxDifference, showBuild, showWhole, steadyPicture } from '../console-pictures.ts'
import { aStaffMember, type StaffMember } from '../console-staff.ts'
import { loadPicture, loadReader } from '../visible-documents.ts'

const service = await startTestService()
const { tenant, students } = await seedTenant(service)
const { id: entityId } = await aStudent(tenant.api, { fullName: 'Zoë Pictured', email: 'zoe@example.org' })
await aRequest(tenant.api, { entityType: 'student', entityId })
const application = await anApplication(tenant.api, { fullName: 'Tyrone Pictured' })
await anApplication(tenant.api, { fullName: 'Ada Pictured' })

/** The screens of the console, by the name of their pictures. */
const screens = {
  home: '/',
  list: '/records/student',
  'empty-list': '/records/student-leave-application',
  record: `/records/student/named/${students[0]}`,
  'new-record': '/records/student-log/new',
  profile: `/students/${students[0]}`,
  board: '/admissions/board',
  application: `/admissions/applications/${application.id}`,
  review: '/admissions/review',
  requests: '/admissions/requests',
  'ask-families': '/admissions/requests/new',
}

const folder = new URL('../../../../../artefacts/pictures/', import.meta.url)

/** The console that is built in a folder, or the service's own. */
function builtIn(site?: URL): ConsoleBuild {
  const build = readConsoleBuild(site)
  assert.ok(build, `no console is built in ${site ?? 'console/dist/site'}: npm run build`)
  return build
}

/** Both pictures of a screen, of another build and of the service's own, taken one after the other. */
async function bothOf(staff: StaffMember, path: string, other: ConsoleBuild): Promise<readonly [Buffer, Buffer]> {
  const size = staff.page.viewportSize() as { width: number; height: number }
  const look = async () => {
    await staff.page.setViewportSize(size)
    await staff.open(path)
    await staff.untilRead()
    // How high the page is is known with the paper, which is drawn anew for a screen of another height.
    const untilDrawn = async () => {
      if (path === screens.review) await loadPicture(await loadReader(staff.page), 1)
    }
    await untilDrawn()
    await showWhole(staff.page)
    await untilDrawn()
    return steadyPicture(staff.page)
  }
  const showOwn = await showBuild(staff.page, other)
  const before = await look()
  await showOwn()
  const after = await look()
  await staff.page.setViewportSize(size)
  return [before, after]
}

/** Somebody for whom time stands still, so that nothing differs because a minute passed, with a paper to review, which others then do not get. */
async function aBeholder(options: { readonly screen: 'desktop' | 'phone'; readonly locale?: string }) {
  await aDocument(service, tenant.api, { entityType: 'student', entityId }, await aSampleDocument())
  const staff = await aStaffMember(service, tenant, options)
  await staff.page.clock.setFixedTime(new Date())
  return staff
}

test('a console looks the same each time that it is looked at, and one whose style is another does not', {
  skip: withoutBrowser,
}, async () => {
  const own = builtIn()
  const isStyle = ([name]: [string, ConsoleFile]) => name.endsWith('.css')
  const styles = [...own.assets].filter(isStyle).map(([name, file]): [string, ConsoleFile] => {
    const changed = Buffer.concat([file.bytes.identity(), Buffer.from('\nh2{letter-spacing:1em}')])
    return [name, { ...file, bytes: { identity: () => changed } }]
  })
  const restyled = { ...own, assets: new Map([...own.assets, ...styles]) }
  for (const screen of ['desktop', 'phone'] as const) {
    const staff = await aBeholder({ screen })
    const same = getDifference(...(await bothOf(staff, screens.profile, own)))
    assert.ok(same.share <= maxDifference, `${screen}: ${same.share}`)
    const changed = getDifference(...(await bothOf(staff, screens.profile, restyled)))
    assert.ok(changed.share > maxDifference, `${screen}: ${changed.share}`)
    await staff.leave()
  }
})

const { CONSOLE_BEFORE: before } = process.env

test('each screen looks as it did in another build, on each width and in each language', {
  skip: withoutBrowser || (before === undefined && 'no other build is named: npm run pictures -- COMMIT'),
}, async () => {
  const other = builtIn(pathToFileURL(`${before}/`))
  await mkdir(folder, { recursive: true })
  const differing: string[] = []
  for (const screen of ['desktop', 'phone'] as const) {
    for (const locale of ['en-US', 'es-MX', 'pt-BR']) {
      const staff = await aBeholder({ screen, locale })
      for (const [name, path] of Object.entries(screens)) {
        const pictures = await bothOf(staff, path, other)
        const { share, picture } = getDifference(...pictures)
        const location = `${name}-${screen}-${locale.slice(0, 2)}`
        process.stdout.write(`# ${location}: ${(share * 100).toFixed(3)} % differs\n`)
        if (share <= maxDifference) continue
        differing.push(location)
        const stored = { before: pictures[0], after: pictures[1], difference: picture }
        for (const [what, bytes] of Object.entries(stored)) {
          await writeFile(fileURLToPath(new URL(`${location}.${what}.png`, folder)), bytes)
        }
      }
      await staff.leave()
    }
  }
  assert.deepEqual(differing, [], 'look at their pictures in artefacts/pictures')
})

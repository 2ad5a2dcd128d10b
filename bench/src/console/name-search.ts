import type pg from 'pg'
import { RecordCaller } from '../../../server/dist/testing/fixtures/record-caller.js'
import { keepCounts } from '../kept-counts.ts'
import { asOwner, describeDatabase } from '../services/bench-database.ts'
import type { BenchService } from '../services/bench-service.ts'
import { cookieOfSomebody, takeAllThatWaits, timed } from './console.ts'

/** Given and family names of a script, how a full name is put together of them, and what somebody types for one. */
interface Script {
  readonly given: string
  readonly family: string
  readonly isFamilyFirst?: boolean
  readonly typed: string
}

const scripts: Readonly<Record<string, Script>> = {
  Latin: {
    given: 'José María Łukasz Zoë Sofía Björn Anaïs Tomás Élise Işık Søren Đức Noah Emma Liam',
    family: 'García Peña Wójcik Müller Weiß Yıldız Svensson Lefèvre Novák Trần O’Neil Smith Jones López Silva',
    typed: 'lukasz WOJCIK',
  },
  Cyrillic: {
    given: 'Анна Мария Пётр Алексей Ольга Сергей Юлия Дмитрий Елена Иван Наталья Фёдор',
    family: 'Иванов Смирнова Кузнецов Попова Васильев Петрова Соколов Михайлова Новиков Фёдорова Морозов Волкова',
    typed: 'петр кузнецов',
  },
  Greek: {
    given: 'Γιώργος Μαρία Δημήτρης Ελένη Κώστας Κατερίνα Νίκος Βασιλική Γιάννης Σοφία',
    family: 'Παπαδόπουλος Βλάχος Αγγελόπουλος Νικολάου Γεωργίου Πέτρου Ιωάννου Δήμου Αντωνίου Μακρής',
    typed: 'γιωργοσ βλαχος',
  },
  Arabic: {
    given: 'محمد أحمد فاطمة عائشة علي حسن مريم خالد زينب يوسف إبراهيم نور',
    family: 'الحسن العلي الخطيب المصري الشامي النجار الحداد القاضي السيد الأحمد البغدادي التونسي',
    typed: 'احمد الحداد',
  },
  Hebrew: {
    given: 'דוד שרה משה רחל יוסף לאה אברהם מרים יעקב תמר',
    family: 'כהן לוי מזרחי פרץ ביטון דהן אברהם פרידמן מלכה אזולאי',
    typed: 'שרה כהן',
  },
  Devanagari: {
    given: 'राम सीता प्रिया अर्जुन कृष्ण लक्ष्मी राजेश सुनीता विकास अनिता',
    family: 'शर्मा वर्मा गुप्ता सिंह पटेल कुमार मिश्रा जोशी यादव चौहान',
    typed: 'प्रिया शर्मा',
  },
  Bengali: {
    given: 'রহিম করিম ফাতেমা আয়েশা সুমন প্রিয়া অর্জুন মিতা রাজু সীমা',
    family: 'হোসেন রহমান ইসলাম দাস রায় সরকার খান আহমেদ চৌধুরী বিশ্বাস',
    typed: 'সুমন রহমান',
  },
  Tamil: {
    given: 'முருகன் லட்சுமி குமார் பிரியா ராஜா மீனா அருண் கவிதா செல்வம் தேவி',
    family: 'சுப்பிரமணியன் ராமசாமி கிருஷ்ணன் வேலு பாண்டியன் நடராஜன் சங்கர் மணி கணேசன் பழனி',
    typed: 'கவிதா வேலு',
  },
  Thai: {
    given: 'สมชาย สมหญิง ประเสริฐ วิไล กิตติ นภา ธนา มาลี ชัย อรุณ',
    family: 'ใจดี รักไทย สุขใจ ทองดี แก้วใส ศรีสุข พงษ์ไทย บุญมี มั่นคง วงศ์ใหญ่',
    typed: 'สมชาย ใจดี',
  },
  Georgian: {
    given: 'გიორგი ნინო დავითი მარიამი ლუკა ანა ნიკა თამარი ალექსანდრე ელენე',
    family: 'ბერიძე კაპანაძე გელაშვილი მაისურაძე გიორგაძე ლომიძე წიკლაური ბოლქვაძე ქავთარაძე ნოზაძე',
    typed: 'ნინო ბერიძე',
  },
  Chinese: {
    given: '小明 伟 芳 娜 秀英 敏 静 丽 强 磊 军 洋 勇 艳 杰',
    family: '王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高',
    isFamilyFirst: true,
    typed: '王小明',
  },
  Japanese: {
    given: '太郎 花子 健太 美咲 翔太 さくら 大輔 陽菜 拓也 結衣 葵 蓮',
    family: '佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田',
    isFamilyFirst: true,
    typed: '山田太郎',
  },
  Korean: {
    given: '민준 서연 도윤 서윤 시우 지우 하준 하은 주원 민서 지호 수아',
    family: '김 이 박 최 정 강 조 윤 장 임 한 오',
    isFamilyFirst: true,
    typed: '김민준',
  },
}

/** How names were folded before letters without a mark to lose, full-width forms and names without blanks were. */
const formerFolding = `
  create function pg_temp.former_words(said text) returns text language sql immutable
    as $$
      select regexp_replace(
               ' ' || replace(replace(replace(translate(
                 regexp_replace(normalize(lower(said collate "und-x-icu"), nfkd), '[\\u0300-\\u036f]', '', 'g'),
                 'łøđðıħ', 'loddih'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
               '[\\s\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf]+', ' ', 'g')
    $$`

/**
 * Prints how long a search of an institution's students by name takes over HTTP in each script, on the Client API and at the console, and
 * how much larger the index is than with the folding of version 1.0. The institution has 100 000 students of all these scripts, or as many as
 * a number behind the name says. Wanted: below 50 ms, and less than a third.
 */
export async function printNameSearch(bench: BenchService): Promise<void> {
  const students = Number(process.argv[3] ?? 100_000)
  const { tenantId, token } = await bench.make('names')
  const client = new RecordCaller(`${bench.address}/v1`, { authorization: `Bearer ${token}` })
  await asOwner(bench, async (owner) => {
    const names = Object.values(scripts)
    for (const [index, script] of names.entries()) {
      const { given, family, isFamilyFirst } = script
      const values = [tenantId, given.split(' '), family.split(' '), isFamilyFirst === true, index]
      await owner.query(insertStudents, [...values, Math.ceil(students / names.length)])
    }
    await owner.query(keepCounts('student', 'students'), [tenantId])
    await takeAllThatWaits(owner, tenantId)
    await owner.query('vacuum (analyze)')
    await printIndexes(owner, tenantId)
  })
  process.stdout.write(`\n${await describeDatabase(bench)}, Node ${process.versions.node}, ${students} students\n`)
  process.stdout.write(`${'script, typed'.padEnd(32)}   /v1 ms     worst  console     worst\n`)
  for (const [script, { typed }] of Object.entries(scripts)) {
    // Everybody has a quota: so each script is somebody else's.
    const cookie = await cookieOfSomebody(bench, 'names')
    const staff = new RecordCaller(`${bench.address}/t/names`, { cookie })
    const ours = await timed(client, `/students?${new URLSearchParams({ search: typed })}`)
    const theirs = await timed(staff, `/console/v1/search?${new URLSearchParams({ q: typed })}`)
    for (const { found } of [ours, theirs]) if (found === 0) throw new Error(`${typed} finds nobody`)
    const columns = [ours.middle, ours.worst, theirs.middle, theirs.worst]
    process.stdout.write(
      `${`${script}, ${typed}`.padEnd(32)}${columns.map((column) => column.padStart(10)).join('')}\n`,
    )
  }
}

/** The size of the index of words, by script and of all, beside one of the same names as they were folded before. */
async function printIndexes(owner: pg.Client, tenantId: string): Promise<void> {
  await owner.query(formerFolding)
  const measure = async (from: number, to: number): Promise<readonly [number, number]> => {
    const sizes: number[] = []
    for (const folding of ['pg_temp.former_words', 'search_words']) {
      await owner.query(
        `create temporary table measured as
         select tenant_id, ${folding}(concat_ws(' ', full_name, given_names, family_names, student_code, email)) as words
           from students where tenant_id = $1 and split_part(external_id, '-', 1)::int between $2 and $3`,
        [tenantId, from, to],
      )
      await owner.query('create index measured_idx on measured using gin (tenant_id, words gin_trgm_ops)')
      const { rows } = await owner.query<{ size: string }>(`select pg_relation_size('measured_idx') as size`)
      sizes.push(Number(rows[0]?.size))
      await owner.query('drop table measured')
    }
    return sizes as [number, number]
  }
  const print = (what: string, [before, now]: readonly [number, number]) =>
    process.stdout.write(
      `index of ${what}: ${(now / 1024 ** 2).toFixed(1)} MiB, before ${(before / 1024 ** 2).toFixed(1)} MiB, ${(now / before).toFixed(2)} times\n`,
    )
  for (const [index, script] of Object.keys(scripts).entries()) print(script, await measure(index, index))
  print('all', await measure(0, Object.keys(scripts).length - 1))
}

const insertStudents = `
  insert into students (tenant_id, id, student_code, full_name, given_names, family_names, email, external_id, search_text)
  select $1, gen_random_uuid(), code, full_name, g, f, email, $5::integer || '-' || n,
         fold_for_search(concat_ws(E'\\n', full_name, g, f, code, email))
    from generate_series(1, $6::integer) n,
         -- Each given name with each family name.
         lateral (select ($2::text[])[1 + n % cardinality($2::text[])] as g,
                         ($3::text[])[1 + n / cardinality($2::text[]) % cardinality($3::text[])] as f) chosen,
         lateral (select case when $4::boolean then f || g else g || ' ' || f end as full_name,
                         'STU-' || $5::integer || lpad(n::text, 6, '0') as code,
                         's' || $5::integer || '-' || n || '@school.example' as email) named`

import { program, studentGroup, studentGroupCreationTool } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { enrolledStudents } from '../enrollment/index.ts'

type Tool = RecordOf<typeof studentGroupCreationTool>

const maxProposals = 5000

/** The groups that a program may have: one for each batch, and for each course, or each course in each batch. */
async function proposals(tool: Tool, work: RecordWork): Promise<object[]> {
  const { program: of, academic_term, academic_year, separate_groups } = tool
  const taught = of === null ? null : await work.find(program, of)
  const period = academic_term || academic_year
  const batches = (await loadBatches(tool, work)).map((batch) => ({
    group_based_on: 'Batch',
    batch,
    student_group_name: `${of}/${batch}/${period}`,
  }))
  const number = batches.length + (taught?.courses.length ?? 0) * (separate_groups === 1 ? batches.length : 1)
  if (number > maxProposals) {
    const text = `These would be ${number} groups; at most ${maxProposals} are proposed at once. Choose a term, or one group a course.`
    throw new RecordError('ValidationError', text)
  }
  const courses = (taught?.courses ?? []).flatMap(({ course }) => {
    const based = { group_based_on: 'Course', course }
    if (separate_groups !== 1 || batches.length === 0) {
      return [{ ...based, student_group_name: `${course}/${of}/${period}` }]
    }
    return batches.map(({ batch }) => ({ ...based, batch, student_group_name: `${course}/${of}/${batch}/${period}` }))
  })
  return [...batches, ...courses]
}

/** The batches of the enrolments in the program in the year. */
async function loadBatches({ program: of, academic_year: year }: Tool, work: RecordWork): Promise<string[]> {
  const found = await work.tx.query<{ name: string }>(sql`
    select b.name from student_batch_names b
     where b.tenant_id = ${work.tx.tenantId}
       and b.name in (select e.student_batch_name from program_enrollments e
                       where e.tenant_id = ${work.tx.tenantId} and e.program = ${of} and e.academic_year = ${year}
                         and e.docstatus = 1)
     order by b.name`)
  return found.map(({ name }) => name)
}

/** Makes the groups of the tool's table, each with the students who are enrolled in what it is based on. */
async function createGroups(tool: Tool, work: RecordWork): Promise<null> {
  work.require(studentGroup, 'create')
  const { academic_year, academic_term, program: of } = tool
  if (tool.courses.length === 0) throw new RecordError('ValidationError', 'No Student Groups to make. Add rows first.')
  for (const { idx, group_based_on, course, batch, student_group_name, max_strength } of tool.courses) {
    const lacking = (what: string) => new RecordError('ValidationError', `Row #${idx}: ${what} is missing. Fill it in.`)
    if (!student_group_name) throw lacking('Student Group Name')
    if (group_based_on === 'Course' && !course) throw lacking('Course')
    if (group_based_on === 'Batch' && !batch) throw lacking('Batch')
    const students = await enrolledStudents(work, { academic_year, academic_term, program: of, batch, course })
    const basis = { student_group_name, group_based_on, program: of, course, batch, academic_year, academic_term }
    await work.insert(studentGroup, { ...basis, max_strength, students })
  }
  work.messages.push({ message: `${tool.courses.length} Student Groups created.`, indicator: 'green' })
  return null
}

/** Makes groups. What was filled in last is kept; the groups are records of their own. */
export const groupCreationRecord = defineRecord(studentGroupCreationTool, {
  isForm: true,
  methods: { get_courses: proposals, create_student_groups: { run: createGroups } },
})

import { type OwnTimetable, ownTimetableOperations, type Static } from '@matricula/contract'
import { courseSchedule } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { addDays, asProblem, getCaller, RecordEngine, type RecordRegistry } from '../../record-engine/index.ts'
import { findHolidays } from '../attendance/index.ts'
import { instructorsOfCaller } from '../instructors/index.ts'

type Timetable = Static<typeof OwnTimetable>

/** The operation of a teacher's own timetable in the console. */
export const ownTimetableRoutes = (registry: RecordRegistry): Route[] =>
  implement(ownTimetableOperations, {
    readOwnTimetable: async (database, { context, query }) => ({
      record: await database.transaction(context.tenant.id, (tx) =>
        asProblem('timetable', () => readOwnTimetable(new RecordEngine(tx, getCaller(context), registry), query.day)),
      ),
      entityTag: null,
    }),
  })

/** The Monday of the week of a day, `YYYY-MM-DD` (ISO 8601, 4.2.4). */
function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

async function readOwnTimetable(engine: RecordEngine, day = engine.today): Promise<Timetable> {
  engine.require(courseSchedule, 'read')
  const monday = mondayOf(day)
  const sunday = addDays(monday, 6)
  const { tenantId } = engine.tx
  const lessons = await engine.tx.query<Timetable['lessons'][number]>(sql`
    select r.name as lesson, r.schedule_date as date, left(r.from_time::text, 5) as "from",
           left(r.to_time::text, 5) as "to", coalesce(r.course, '') as course, r.student_group as "studentGroup",
           coalesce(room.room_name, r.room) as room,
           exists (select from student_attendances a
                    where a.tenant_id = r.tenant_id and a.course_schedule = r.name and a.docstatus < 2) as "isMarked"
      from course_schedules r
      left join rooms room on room.tenant_id = r.tenant_id and room.name = r.room
     where r.tenant_id = ${tenantId} and r.schedule_date between ${monday} and ${sunday}
       and r.instructor in (${instructorsOfCaller(engine)})
     order by r.schedule_date, r.from_time, r.name`)
  const holidays = [...(await findHolidays(engine))].filter((each) => each >= monday && each <= sunday).sort()
  return { week: monday, today: engine.today, now: engine.now.slice(11, 16), holidays, lessons }
}

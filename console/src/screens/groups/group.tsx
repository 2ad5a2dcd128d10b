import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Document, read } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { Waiting } from '../../elements/states.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, Link } from '../../shell/router.tsx'
import { useDay } from '../fees/days.ts'
import { AddStudents } from './add-students.tsx'
import { isMemberOn, type Member, membersOf, todayIn } from './members.ts'
import { MoveDialog } from './move-dialog.tsx'
import { useGroupMessages } from './use-group-messages.ts'
import { WaitingList } from './waiting-list.tsx'
import './groups.css'

/** Who is in a group: students are added together, moved on a day, and wait for a place. */
export default function Group({ name }: { readonly name: string }) {
  const own = useGroupMessages()
  const { may } = useSession()
  const mayRead = may('Student Group', 'read')
  const group = useQuery({
    queryKey: ['record', 'Student Group', name, 'members'],
    queryFn: () => read('Student Group', name),
    enabled: mayRead,
  })
  useEffect(() => {
    document.title = own.title
  }, [own])
  if (!mayRead) return <NoPage />
  if (group.isPending) return <Waiting lines={8} />
  if (group.isError) return <Failed error={group.error} again={() => void group.refetch()} />
  return <GroupOf group={group.data} />
}

function GroupOf({ group }: { readonly group: Document }) {
  const own = useGroupMessages()
  const { may, tenant } = useSession()
  const today = todayIn(tenant.timeZone)
  const members = membersOf(group)
  const present = members.filter((member) => isMemberOn(member, today))
  const others = members.filter((member) => member.active === 1 && !isMemberOn(member, today))
  const most = Number(group.max_strength ?? 0)
  const mayChange = may('Student Group', 'write')
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{String(group.student_group_name ?? group.name)}</h1>
          <p className="quiet">
            {[group.program, group.batch, group.course, group.academic_year].filter(Boolean).join(' · ')}
          </p>
        </div>
        <span className="row">
          {most > 0 && (
            <span className={`badge ${present.length >= most ? 'wait' : ''}`}>
              {own.strength(present.length, most)}
            </span>
          )}
          <Link className="button" to={addressOf.record('Student Group', group.name)}>
            {own.record}
          </Link>
        </span>
      </div>
      {mayChange && <AddStudents key={group.modified as string} group={group} today={today} />}
      <Members group={group.name} members={present} mayMove={mayChange} today={today} />
      {others.length > 0 && (
        <details className="card section">
          <summary>{own.others}</summary>
          <ul className="timeline">
            {others.map((member) => (
              <li key={`${member.student} ${member.from_date}`}>
                <MemberName member={member} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {may('Waiting List Entry', 'read') && <WaitingList group={group.name} />}
    </>
  )
}

function MemberName({ member }: { readonly member: Member }) {
  const own = useGroupMessages()
  const { may } = useSession()
  const showDay = useDay()
  const { student, student_name, from_date, to_date } = member
  const name = student_name ?? student
  return (
    <>
      {may('Student', 'read') ? (
        <Link className="file" to={addressOf.profile(student)}>
          {name}
        </Link>
      ) : (
        name
      )}{' '}
      <span className="quiet small">
        {[
          student,
          from_date === null ? null : own.since(showDay(from_date)),
          to_date === null ? null : own.until(showDay(to_date)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  )
}

interface MembersProps {
  readonly group: string
  readonly members: readonly Member[]
  readonly mayMove: boolean
  readonly today: string
}

function Members({ group, members, mayMove, today }: MembersProps) {
  const own = useGroupMessages()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [isMoving, setMoving] = useState(false)
  const pick = (student: string, isPicked: boolean) => {
    const next = new Set(picked)
    if (isPicked) next.add(student)
    else next.delete(student)
    setPicked(next)
  }
  const moving = members.filter(({ student }) => picked.has(student))
  return (
    <section className="card section" aria-label={own.members}>
      <h2>
        {own.members} <span className="badge numbers">{members.length}</span>
      </h2>
      {members.length === 0 && <p className="quiet">{own.noMembers}</p>}
      <ul className="timeline">
        {members.map((member) => (
          <li key={member.student} className="row">
            {mayMove && (
              <label className="check">
                <input
                  type="checkbox"
                  checked={picked.has(member.student)}
                  onChange={({ target }) => pick(member.student, target.checked)}
                />
                <span className="unseen">{own.pickMember(member.student_name ?? member.student)}</span>
              </label>
            )}
            <span>
              <MemberName member={member} />
            </span>
          </li>
        ))}
      </ul>
      {moving.length > 0 && (
        <p>
          <Button onClick={() => setMoving(true)}>{own.move(moving.length)}</Button>
        </p>
      )}
      {isMoving && (
        <MoveDialog
          group={group}
          members={moving}
          today={today}
          onClose={(moved) => {
            setMoving(false)
            setPicked(new Set([...picked].filter((student) => !moved.includes(student))))
          }}
        />
      )}
    </section>
  )
}

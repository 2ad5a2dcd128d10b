import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BoardFilters } from '../../calls/admissions/admissions-api.ts'
import { programs } from '../../calls/admissions/application-api.ts'
import { list } from '../../calls/resource-api.ts'
import { Button } from '../../elements/button.tsx'
import { useSession } from '../../session/session.tsx'
import { useBoardMessages } from './use-board-messages.ts'

interface Props {
  readonly filters: BoardFilters
  readonly onChange: (filters: BoardFilters) => void
}

/** How long somebody pauses before what was typed is searched for, in milliseconds. */
const pauseMs = 250

/** Search and filters of the pipeline; they stand in the address. */
export function BoardFilter({ filters, onChange }: Props) {
  const own = useBoardMessages()
  const { has, may } = useSession()
  const { search = '', programId = '', academicYear = '' } = filters
  const [typed, setTyped] = useState(search)
  const offered = useQuery({ queryKey: ['programs'], queryFn: programs, enabled: has('programs:read') })
  const years = useQuery({ queryKey: ['academic-years'], queryFn: getYears, enabled: may('Academic Year', 'read') })
  // Going back brings the search of that time.
  useEffect(() => setTyped(search), [search])
  useEffect(() => {
    if (typed.trim() === search) return
    const timer = setTimeout(() => onChange({ ...filters, search: typed.trim() }), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, search, filters, onChange])
  return (
    <search className="row section">
      <input
        type="search"
        className="input"
        aria-label={own.search}
        placeholder={own.search}
        maxLength={120}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {offered.data !== undefined && offered.data.length > 0 && (
        <select
          className="input"
          aria-label={own.anyProgram}
          value={programId}
          onChange={({ target }) => onChange({ ...filters, programId: target.value })}
        >
          <option value="">{own.anyProgram}</option>
          {offered.data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {years.data !== undefined && years.data.length > 0 && (
        <select
          className="input"
          aria-label={own.anyYear}
          value={academicYear}
          onChange={({ target }) => onChange({ ...filters, academicYear: target.value })}
        >
          <option value="">{own.anyYear}</option>
          {years.data.map((year) => (
            <option key={year}>{year}</option>
          ))}
        </select>
      )}
      {Object.keys(filters).length > 0 && (
        <Button kind="plain" onClick={() => onChange({})}>
          {own.clear}
        </Button>
      )}
    </search>
  )
}

/** The names of the newest academic years. */
async function getYears(): Promise<string[]> {
  const question = { filters: [], orFilters: [], order: 'year_start_date desc', start: 0, length: 20 }
  return (await list('Academic Year', { ...question, fields: ['name'] })).map(({ name }) => name)
}

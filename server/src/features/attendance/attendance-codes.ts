import { attendanceCode, studentAttendance } from '@matricula/contract/record-types'
import { sql, type Transaction } from '../../database/index.ts'
import { defineRecord, RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'

type Code = RecordOf<typeof attendanceCode>

/** The status that clients read of a mark with a code. */
export const statusByMeaning: Readonly<Record<string, 'Present' | 'Absent'>> = {
  Present: 'Present',
  Late: 'Present',
  Absent: 'Absent',
  Excused: 'Absent',
}

/** The codes that a new institution starts with. */
const defaultCodes = [
  { code: 'P', counts_as: 'Present', label: { en: 'Present', es: 'Presente', fr: 'Présent', pt: 'Presente' } },
  { code: 'A', counts_as: 'Absent', label: { en: 'Absent', es: 'Ausente', fr: 'Absent', pt: 'Ausente' } },
  { code: 'L', counts_as: 'Late', label: { en: 'Late', es: 'Tarde', fr: 'En retard', pt: 'Atrasado' } },
  {
    code: 'E',
    counts_as: 'Excused',
    label: { en: 'Excused absence', es: 'Falta justificada', fr: 'Absence excusée', pt: 'Falta justificada' },
  },
  { code: 'S', counts_as: 'Excused', label: { en: 'Sick', es: 'Enfermedad', fr: 'Malade', pt: 'Doença' } },
] as const

/** Gives a tenant its attendance codes, in its own language and with the other languages that it has. What is there stays. */
export function seedAttendanceCodes(tx: Transaction): void {
  const { tenantId } = tx
  const codes = JSON.stringify(defaultCodes.map((code, index) => ({ ...code, position: index + 1 })))
  tx.send(sql`
    insert into attendance_codes (tenant_id, id, name, code, label, counts_as, position)
    select ${tenantId}, new_uuid7(), c ->> 'code', c ->> 'code', c -> 'label' ->> t.language, c ->> 'counts_as',
           (c ->> 'position')::integer
      from tenants t, jsonb_array_elements(${codes}::jsonb) c
     where t.id = ${tenantId}
    on conflict do nothing`)
  tx.send(sql`
    insert into attendance_codes_translations (tenant_id, id, parent_id, name, idx, language, label)
    select ${tenantId}, new_uuid7(), a.id, substr(md5(a.id::text || l.name), 1, 10),
           row_number() over (partition by a.id order by l.name), l.name, c -> 'label' ->> l.name
      from tenants t, jsonb_array_elements(${codes}::jsonb) c, attendance_codes a, languages l
     where t.id = ${tenantId} and a.tenant_id = ${tenantId} and a.name = c ->> 'code'
       and l.tenant_id = ${tenantId} and l.name <> t.language and c -> 'label' ? l.name
       and not exists (select from attendance_codes_translations known
                        where known.tenant_id = ${tenantId} and known.parent_id = a.id)`)
}

function requireMinutes({ minutes, counts_as }: Code): void {
  if (minutes >= 0 && minutes <= maxMinutes && (minutes === 0 || counts_as === 'Late')) return
  throw new RecordError(
    'ValidationError',
    `Minutes are from 0 to ${maxMinutes}, and 0 unless the code counts as Late: ${minutes} with ${counts_as} is neither. Correct the minutes or what it counts as.`,
  )
}

/** A day has no more minutes. */
export const maxMinutes = 1440

/** What was marked with a code keeps its meaning. */
async function requireMeaningUnchanged(document: Code, work: RecordWork, before: Code | null): Promise<void> {
  if (before === null || before.counts_as === document.counts_as) return
  const [used] = await work.select(studentAttendance, sql`r.attendance_code = ${before.name}`, sql`limit 1`)
  if (used === undefined) return
  throw new RecordError(
    'ValidationError',
    `Attendance is marked with ${before.name}, which counts as ${before.counts_as}. Disable this code, and make another that counts as ${document.counts_as}.`,
  )
}

function requireLanguagesOnce({ translations }: Code): void {
  const seen = new Set<string | null>()
  for (const { idx, language } of translations) {
    if (seen.has(language)) {
      throw new RecordError('ValidationError', `Row #${idx}: ${language} is there more than once. Remove the row.`)
    }
    seen.add(language)
  }
}

/** The record type of attendance codes. */
export const attendanceCodeRecord = defineRecord(attendanceCode, {
  rules: { validate: [requireMinutes, requireMeaningUnchanged, requireLanguagesOnce] },
})

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Setting, SettingChange, SettingsPlan } from '../../calls/settings-api.ts'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { ErrorSummary, Waiting } from '../../elements/states.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSettingMessages } from './use-setting-messages.ts'

interface Props {
  readonly load: () => Promise<SettingsPlan>
  /** The version of the settings that the draft is compared with. */
  readonly version: string
  readonly onApply: () => Promise<void>
  readonly telling: (error: unknown) => string
  readonly onClose: () => void
}

/** Each change before it is made, or what keeps the settings from being applied. */
export function SettingsPlanDialog({ load, version, onApply, telling, onClose }: Props) {
  const own = useSettingMessages()
  const [isBusy, setBusy] = useState(false)
  const [rejected, setRejected] = useState<{ readonly text: string; readonly count: number } | null>(null)
  const planned = useQuery({ queryKey: ['settings-plan', version], queryFn: load, gcTime: 0 })
  const apply = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await onApply()
    } catch (error) {
      setRejected((before) => ({ text: telling(error), count: (before?.count ?? 0) + 1 }))
      setBusy(false)
    }
  }
  return (
    <Dialog title={own.review} className="wide" onClose={onClose}>
      {planned.isPending && <Waiting lines={4} />}
      {planned.isError && <Failed error={planned.error} again={() => void planned.refetch()} />}
      {rejected !== null && (
        <ErrorSummary key={rejected.count} title={own.notApplied}>
          <p>{rejected.text}</p>
        </ErrorSummary>
      )}
      {planned.data !== undefined && (
        <div className="stack">
          {planned.data.errors.length > 0 && (
            <ErrorSummary title={own.notApplied}>
              <ul>
                {planned.data.errors.map(({ pointer, detail }) => (
                  <li key={`${pointer} ${detail}`}>
                    <code>{pointer.slice(2).replaceAll('/', ' › ')}</code>: {detail}
                  </li>
                ))}
              </ul>
            </ErrorSummary>
          )}
          {planned.data.plan.length === 0 && planned.data.errors.length === 0 && <p>{own.nothing}</p>}
          <ul className="stack">
            {planned.data.plan.map((change) => (
              <Change
                key={`${change.kind} ${change.key}`}
                action={change.action}
                kind={change.kind}
                entry={change.key}
                changes={change.changes}
              />
            ))}
          </ul>
          {planned.data.plan.length > 0 && planned.data.errors.length === 0 && (
            <Button kind="main" isBusy={isBusy} onClick={() => void apply()}>
              {own.apply(planned.data.plan.length)}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  )
}

function Change({ action, kind, entry, changes }: Omit<SettingChange, 'key'> & { readonly entry: string }) {
  const own = useSettingMessages()
  return (
    <li className="card change">
      <strong>
        {own.actions[action]}: {own.members[kind] ?? kind}, {entry}
      </strong>
      {changes.length > 0 && (
        <dl className="differences">
          {changes.map(({ path, before, after }) => (
            <div key={path}>
              <dt className="label">{getLabel(path, own.members)}</dt>
              <dd>
                {before !== undefined && <del>{shown(before)}</del>} {after !== undefined && <ins>{shown(after)}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

function getLabel(path: string, members: Readonly<Record<string, string>>): string {
  return path
    .split('.')
    .map((part) => members[part] ?? part)
    .join(' › ')
}

function shown(value: Setting): string {
  if (value === null) return '–'
  if (value === true) return '✓'
  if (value === false) return '✗'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

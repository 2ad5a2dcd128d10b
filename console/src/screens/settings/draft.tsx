import settingsSchema from 'virtual:settings-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CallError } from '../../calls/http.ts'
import {
  applySettings,
  type Configuration,
  planSettings,
  readSettings,
  type Setting,
} from '../../calls/settings-api.ts'
import { Button } from '../../elements/button.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getErrorText } from '../../session/telling.ts'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { SettingsPlanDialog } from './plan-dialog.tsx'
import { Section } from './section.tsx'
import { changedSettings, laidOver, type Schema } from './setting-schema.ts'
import { saveFile } from './settings-file.ts'
import { useSettingMessages } from './use-setting-messages.ts'
import './settings.css'

const queryKey = ['settings']

const sections = (settingsSchema as Schema).properties ?? {}

interface DraftProps {
  readonly configuration: Configuration
  readonly entityTag: string
}

/** The settings as they are to be: what changed is reviewed before it is applied. */
export function SettingsDraft({ configuration, entityTag }: DraftProps) {
  const own = useSettingMessages()
  const { messages } = useMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const asked = new URLSearchParams(useQueryText()).get('section')
  const section = asked !== null && Object.hasOwn(sections, asked) ? asked : 'pipelineStatuses'
  const [draft, setDraft] = useState<Configuration>(configuration)
  const [isPlanning, setPlanning] = useState(false)
  const changed = changedSettings(configuration, draft)
  const count = Object.values(changed).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  )
  useEffect(() => {
    if (count === 0) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [count])
  const readAgain = () => queries.fetchQuery({ queryKey, queryFn: readSettings, staleTime: 0 })
  const apply = async () => {
    try {
      await applySettings(entityTag, changed)
      setDraft((await readAgain()).configuration)
      setPlanning(false)
      tell(own.applied)
      for (const key of ['pipeline', 'board', 'document-types']) void queries.invalidateQueries({ queryKey: [key] })
    } catch (error) {
      if (!(error instanceof CallError && error.status === 412)) throw error
      // Somebody else changed settings: only what was changed here is laid over what is stored now.
      setDraft(laidOver((await readAgain()).configuration, changed))
      throw new CallError(412, 'settings_changed', own.changedMeanwhile)
    }
  }
  const bring = async (file: File) => {
    try {
      const brought = JSON.parse(await file.text()) as Configuration
      setDraft((before) => laidOver(before, brought))
    } catch {
      tell(own.noFile, { isBad: true })
    }
  }
  const set = (value: Setting | undefined) => setDraft((before) => ({ ...before, [section]: value ?? {} }))
  return (
    <>
      <p className="quiet">{own.about}</p>
      <nav className="row section" aria-label={own.sections}>
        {Object.keys(sections).map((name) => (
          <Button
            key={name}
            isPressed={name === section}
            onClick={() => go(`${addressOf.settings}?section=${name}`, { replace: true })}
          >
            {own.members[name] ?? name}
            {Object.hasOwn(changed, name) ? ' •' : ''}
          </Button>
        ))}
        <Link className="button plain" to={addressOf.list('Attendance Code')}>
          {own.attendanceCodes}
        </Link>
        <Link className="button plain" to={addressOf.rollover}>
          {own.rollover}
        </Link>
      </nav>
      <Section
        key={section}
        name={section}
        schema={sections[section] ?? {}}
        value={draft[section]}
        stored={configuration[section]}
        onChange={set}
      />
      <div className="saving">
        <span className="quiet" role="status">
          {own.count(count)}
        </span>
        <Button kind="main" isBusy={count === 0} onClick={() => setPlanning(true)}>
          {own.review}
        </Button>
        {count > 0 && (
          <Button kind="plain" onClick={() => setDraft(configuration)}>
            {messages.record.discard}
          </Button>
        )}
        <Button kind="plain" onClick={() => saveFile('settings.json', JSON.stringify(configuration, null, 2))}>
          {own.download}
        </Button>
        <label className="button plain">
          {own.upload}
          <input
            type="file"
            className="unseen"
            accept=".json,application/json"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file !== undefined) void bring(file)
              target.value = ''
            }}
          />
        </label>
      </div>
      {isPlanning && (
        <SettingsPlanDialog
          load={() => planSettings(changed)}
          version={entityTag}
          onApply={apply}
          telling={(error) =>
            error instanceof CallError && error.kind === 'settings_changed'
              ? error.message
              : getErrorText(error, messages)
          }
          onClose={() => setPlanning(false)}
        />
      )}
    </>
  )
}

import type { Setting } from '../../calls/settings-api.ts'
import { useSession } from '../../session/session.tsx'
import { getMembers, type Schema } from './setting-schema.ts'
import { useSettingMessages } from './use-setting-messages.ts'

interface Props {
  readonly id: string
  readonly schema: Schema
  readonly value: Setting | undefined
  readonly onChange: (value: Setting) => void
}

/** A text in the institution's language, and in others. */
export function TranslatedField({ id, schema, value, onChange }: Props) {
  const own = useSettingMessages()
  const { tenant } = useSession()
  const texts = typeof value === 'string' ? { [tenant.language]: value } : getMembers(value)
  const others = Object.keys(schema.properties ?? {}).filter((language) => language !== tenant.language)
  const isLong = (schema.maxLength ?? 0) >= 1000
  const set = (language: string, text: string) => {
    const all = Object.entries({ ...texts, [language]: text }).filter(
      ([each, said]) => said !== '' || each === tenant.language,
    )
    const hasOthers = all.some(([each]) => each !== tenant.language)
    const ownText = language === tenant.language ? text : String(texts[tenant.language] ?? '')
    onChange(hasOthers ? Object.fromEntries(all) : ownText)
  }
  const control = (language: string, controlId: string) =>
    isLong ? (
      <textarea
        id={controlId}
        className="input"
        lang={language}
        maxLength={schema.maxLength}
        value={String(texts[language] ?? '')}
        onChange={({ target }) => set(language, target.value)}
      />
    ) : (
      <input
        id={controlId}
        className="input"
        lang={language}
        maxLength={schema.maxLength}
        value={String(texts[language] ?? '')}
        onChange={({ target }) => set(language, target.value)}
      />
    )
  return (
    <>
      {control(tenant.language, id)}
      <details>
        <summary className="small">{own.otherLanguages}</summary>
        {others.map((language) => (
          <div key={language} className="field">
            <label htmlFor={`${id}-${language}`}>{own.languages[language] ?? language}</label>
            {control(language, `${id}-${language}`)}
          </div>
        ))}
      </details>
    </>
  )
}

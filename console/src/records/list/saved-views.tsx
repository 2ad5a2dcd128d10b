import { useQuery, useQueryClient } from '@tanstack/react-query'
import { removeView, savedViews } from '../../calls/console-api.ts'
import { Button } from '../../elements/button.tsx'
import { Icon } from '../../elements/icon.tsx'
import { useWords } from '../../messages/words.tsx'
import { type ListAddress, plainList, readListAddress, searchTextOf } from '../../shell/list-address.ts'
import { addressOf, go } from '../../shell/router.tsx'

interface Props {
  readonly type: string
  readonly address: ListAddress
}

/** The views of a list that somebody kept: one press shows the list as it was. */
export function SavedViews({ type, address }: Props) {
  const { words } = useWords()
  const queries = useQueryClient()
  const queryKey = ['saved-views', type]
  const views = useQuery({ queryKey, queryFn: () => savedViews(type), staleTime: 60_000 })
  if (views.data === undefined || views.data.length === 0) return null
  const now = searchTextOf({ ...address, page: 1 })
  const remove = async (id: string) => {
    try {
      await removeView(id)
    } finally {
      await queries.invalidateQueries({ queryKey })
    }
  }
  return (
    <nav className="chips" aria-label={words.list.views}>
      {views.data.map(({ id, title, settings, mayChange }) => {
        const search = settings.search ?? ''
        return (
          <span key={id} className="row">
            <button
              type="button"
              className="chip"
              aria-current={search === now ? 'true' : undefined}
              onClick={() => go(addressOf.list(type, search === now ? plainList : readListAddress(search)))}
            >
              {title}
            </button>
            {search === now && mayChange && (
              <Button kind="plain" label={words.list.removeView(title)} onClick={() => void remove(id)}>
                <Icon of="trash" />
              </Button>
            )}
          </span>
        )
      })}
    </nav>
  )
}

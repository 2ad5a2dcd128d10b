import { useQuery, useQueryClient } from '@tanstack/react-query'
import { removeView, savedViews } from '../../calls/console-api.ts'
import { Button } from '../../elements/button.tsx'
import { Icon } from '../../elements/icon.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { getSearchText, type ListAddress, plainList, readListAddress } from '../../shell/list-address.ts'
import { addressOf, go } from '../../shell/router.tsx'

interface Props {
  readonly type: string
  readonly address: ListAddress
}

/** The views of a list that somebody kept: one press shows the list as it was. */
export function SavedViews({ type, address }: Props) {
  const { messages } = useMessages()
  const queries = useQueryClient()
  const queryKey = ['saved-views', type]
  const views = useQuery({ queryKey, queryFn: () => savedViews(type), staleTime: 60_000 })
  if (views.data === undefined || views.data.length === 0) return null
  const now = getSearchText({ ...address, page: 1 })
  const remove = async (id: string) => {
    try {
      await removeView(id)
    } finally {
      await queries.invalidateQueries({ queryKey })
    }
  }
  return (
    <nav className="chips" aria-label={messages.list.views}>
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
              <Button kind="plain" label={messages.list.removeView(title)} onClick={() => void remove(id)}>
                <Icon of="trash" />
              </Button>
            )}
          </span>
        )
      })}
    </nav>
  )
}

import { clientApi } from '../client-api/index.ts'
import type { Operation } from '../operation.ts'
import { accessRuleOperations } from './access-rules.ts'
import { administrationOperations } from './administration.ts'
import { boardOperations } from './board.ts'
import { bootOperations } from './boot.ts'
import { bulkOperations } from './bulk-jobs.ts'
import { feeDeskOperations } from './fee-desk.ts'
import { figureOperations } from './figures.ts'
import { gradeSheetOperations } from './grade-sheets.ts'
import { importOperations } from './imports.ts'
import { liveOperations } from './live.ts'
import { ownTimetableOperations } from './own-timetable.ts'
import { peopleOperations } from './people.ts'
import { preferenceOperations } from './preferences.ts'
import { reportCardOperations } from './report-cards.ts'
import { requestOperations } from './requests.ts'
import { reviewOperations } from './review-queue.ts'
import { rollCallOperations } from './roll-calls.ts'
import { savedViewOperations } from './saved-views.ts'
import { searchOperations } from './search.ts'
import { settingsOperations } from './settings.ts'
import { profileOperations } from './student-profile.ts'
import { timelineOperations } from './timeline.ts'

/** The operations of the console's own, by their ids. */
export const consoleApi = {
  ...bootOperations,
  ...searchOperations,
  ...liveOperations,
  ...savedViewOperations,
  ...preferenceOperations,
  ...timelineOperations,
  ...accessRuleOperations,
  ...administrationOperations,
  ...settingsOperations,
  ...profileOperations,
  ...bulkOperations,
  ...importOperations,
  ...feeDeskOperations,
  ...figureOperations,
  ...gradeSheetOperations,
  ...rollCallOperations,
  ...ownTimetableOperations,
  ...reportCardOperations,
  ...boardOperations,
  ...peopleOperations,
  ...reviewOperations,
  ...requestOperations,
} satisfies Record<string, Operation>

const { getTokenContext: _, ...shared } = clientApi

/** The operations of the Client API that the console has as well: all but the one about the token. */
export const sharedOperations: Readonly<Record<string, Operation>> = shared

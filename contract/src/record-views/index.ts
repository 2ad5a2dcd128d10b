import { peopleViews } from './people-views.ts'
import type { RecordView } from './record-view.ts'
import { studyViews } from './study-views.ts'

export { type NavigationGroup, navigation } from './navigation.ts'
export { type RecordView, sectionTitles } from './record-view.ts'

/** How records are shown to staff, where a declaration alone does not say it. */
export const recordViews: readonly RecordView[] = [...peopleViews, ...studyViews]

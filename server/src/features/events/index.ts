export { liveRoutes } from './console-live.ts'
export { type EventItem, loadFeedBounds, orderEvents, PositionUnknown, readEvents } from './event-feed.ts'
export { eventRoutes } from './event-routes.ts'
export {
  type EventSelection,
  isSelected,
  parseEventTypes,
  readableEvents,
  readablePart,
  requireReadable,
  selectedEvents,
  selectTypes,
} from './event-types.ts'
export { EventWatch } from './event-watch.ts'
export { forgetEventsJob } from './forget-events.ts'

export { default as AddSelected } from './add-selected.tsx'
export { default as Group } from './group.tsx'
export { default as Promotion } from './promotion.tsx'

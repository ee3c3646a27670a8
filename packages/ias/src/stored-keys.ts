/** Keys of stored states. They are those of the first release, so that an updated edge reads its state. */
export const ALERTED = 'told'
export const FIRES = 'places'

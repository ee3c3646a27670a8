/**
 * Pictures of the measuring folders that show things without labels. All pictures were inspected, whatever the
 * models report. Their candidates are neither true nor false.
 */

/** Pictures of `plates` with people, also reflected ones. A poster with people counts as false. */
const withPeople = ['OKT3896', 'OZV6697', 'PJK4867', 'PWF3266']

/** Pictures of fires with vehicles, also burning and distant ones. */
const withVehicles = [
  'L_02172',
  'L_03838',
  'M_03116',
  'MirrorWEBFire1178',
  'MirrorWEBSmoke2275',
  'NoiseWEBSmoke1215',
  'NoiseWEBSmoke2870',
  'NoiseWEBSmoke3096',
  'WEBFire1528',
  'fire1-1238',
  'new_fire_fire-531',
  'new_fire_fire-540',
]

/** Whether the picture may show one without a label. @param file name without its folder */
export const mayShow = (what: 'person' | 'vehicle', file: string): boolean =>
  (what === 'person' ? withPeople : withVehicles).some((name) => file.startsWith(name))

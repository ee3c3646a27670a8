import type { Camera } from '@vigia/contracts/cameras'
import { mergeCalibration } from '@vigia/ias/calibration'
import { ia, nomesIas } from '@vigia/ias/catalogue'

const lineIa = nomesIas.find((nome) => ia(nome).geometria === 'linha')

/** The threshold `direcao` of the IA that needs a line. 0: there is no such IA, or both directions count. */
export const lineDirection = ({ config_ia }: Pick<Camera, 'config_ia'>): number =>
  lineIa === undefined ? 0 : Number(mergeCalibration(config_ia)[lineIa].direcao ?? 0)

import { ia as entryOf, type NomeIa } from '@vigia/contracts/ias'

export const defaultConf = (ia: NomeIa): number => Number(entryOf(ia).limiares.conf?.padrao)

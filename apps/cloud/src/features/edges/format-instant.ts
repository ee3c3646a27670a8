import { FUSO_PADRAO } from '@vigia/contracts/empresas'

/** Date and time as a person at the site reads it: `21/11/2026, 10:18`. @param fuso IANA name; null: the default one */
export const formatInstant = (ms: number, fuso: string | null): string =>
  new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone: fuso ?? FUSO_PADRAO }).format(ms)

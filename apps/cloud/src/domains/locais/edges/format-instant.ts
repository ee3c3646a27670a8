import { FUSO_PADRAO } from '@vigia/contracts/empresas'

/** Formats a local date and time: `21/11/2026, 10:18`. @param fuso IANA name; null: the default time zone */
export const formatInstant = (ms: number, fuso: string | null): string =>
  new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone: fuso ?? FUSO_PADRAO }).format(ms)

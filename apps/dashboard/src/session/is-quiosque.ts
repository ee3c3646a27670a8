import type { Me } from '@vigia/contracts/sessoes'

/** Whether this screen is in kiosk mode: it shows only Plantão, and begins with sound. */
export const isQuiosque = ({ sessao }: Me): boolean => (sessao?.quiosque ?? null) !== null

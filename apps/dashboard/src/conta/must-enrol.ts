import type { Me } from '@vigia/contracts/sessoes'

/** Whether the login may only turn on its second factor. */
export const mustEnrol = ({ segundo_fator }: Me): boolean => segundo_fator.exigido && !segundo_fator.ligado

import type { Me } from '@vigia/contracts/sessoes'

/** Whether the login must turn on its second factor before any other action. */
export const mustEnrol = ({ segundo_fator }: Me): boolean => segundo_fator.exigido && !segundo_fator.ligado

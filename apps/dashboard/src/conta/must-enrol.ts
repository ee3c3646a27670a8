import type { Me } from '@vigia/contracts/sessoes'

/** Whether the login may do nothing but turn its second factor on. */
export const mustEnrol = ({ segundo_fator }: Me): boolean => segundo_fator.exigido && !segundo_fator.ligado

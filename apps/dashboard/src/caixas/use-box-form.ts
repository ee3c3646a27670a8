import { useTranslation } from 'react-i18next'
import { useForm } from '../cameras/use-form.ts'
import { camposCaixa, type FormularioCaixa, type ProblemaCaixa } from './box-form.ts'

/** The form of a box. */
export function useBoxForm(initial: () => FormularioCaixa) {
  const { t } = useTranslation()
  return useForm(camposCaixa, initial, (problem: ProblemaCaixa) => t(`caixas.formulario.${problem}`))
}

import { useTranslation } from 'react-i18next'
import { useForm } from '../cameras/use-form.ts'
import { camposEdge, type FormularioEdge, type ProblemaEdge } from './edge-form.ts'

/** The form of an edge. */
export function useEdgeForm(initial: () => FormularioEdge) {
  const { t } = useTranslation()
  return useForm(camposEdge, initial, (problem: ProblemaEdge) => t(`caixas.formulario.${problem}`))
}

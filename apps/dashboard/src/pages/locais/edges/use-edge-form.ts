import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { checkEdge, type FormularioEdge } from './edge-form.ts'

/** The form of an edge. */
export function useEdgeForm(initial: FormularioEdge, required: Parameters<typeof checkEdge>[1]) {
  const { t } = useTranslation()
  return useApiForm({
    initial,
    check: (values) => checkEdge(values, required),
    sentence: (problem) => t(`caixas.formulario.${problem}`),
  })
}

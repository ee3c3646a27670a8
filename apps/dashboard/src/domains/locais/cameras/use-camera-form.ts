import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { checkForm, type FormularioCamera } from './camera-form.ts'

/** The form of a camera. */
export function useCameraForm(initial: FormularioCamera, required: Parameters<typeof checkForm>[1]) {
  const { t } = useTranslation()
  return useApiForm({
    initial,
    check: (values) => checkForm(values, required),
    sentence: (problem) => t(`cameras.formulario.${problem}`, { exemplo: t('cameras.formulario.rtspExemplo') }),
  })
}

import { useTranslation } from 'react-i18next'
import { camposCamera, type FormularioCamera, type ProblemaCamera } from './camera-form.ts'
import { useForm } from './use-form.ts'

/** The form of a camera. */
export function useCameraForm(initial: () => FormularioCamera) {
  const { t } = useTranslation()
  return useForm(camposCamera, initial, (problem: ProblemaCamera) =>
    t(`cameras.formulario.${problem}`, { exemplo: t('cameras.formulario.rtspExemplo') }),
  )
}

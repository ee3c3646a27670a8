import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../api/form-errors.ts'
import { type CampoCamera, camposCamera, type FormularioCamera, type ProblemaCamera } from './camera-form.ts'

/** Fields, problems and the central's refusal of a camera's form. */
export function useCameraForm(initial: () => FormularioCamera) {
  const { t } = useTranslation()
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<Partial<Record<CampoCamera, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const fields = useRef<HTMLDivElement>(null)

  // After a refusal the cursor goes to the first field that needs mending; not while it is being mended.
  useEffect(() => {
    if (refusals > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  return {
    form,
    errors,
    failure,
    fields,
    change(field: CampoCamera, value: string) {
      setForm((now) => ({ ...now, [field]: value }))
      setErrors(({ [field]: _mended, ...rest }) => rest)
    },
    /** Shows `problems`; true when there are none. */
    accept(problems: Partial<Record<CampoCamera, ProblemaCamera>>): boolean {
      const exemplo = t('cameras.formulario.rtspExemplo')
      const sentences = Object.entries(problems).map(([field, key]) => [
        field,
        t(`cameras.formulario.${key}`, { exemplo }),
      ])
      setErrors(Object.fromEntries(sentences))
      setFailure(null)
      setRefusals((count) => count + 1)
      return sentences.length === 0
    },
    refuse(error: unknown) {
      const refused = formErrors(error, camposCamera)
      setErrors(refused.fields)
      setFailure(refused.general)
      setRefusals((count) => count + 1)
    },
  }
}

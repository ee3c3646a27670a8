import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  type ContagemRetencao,
  contagemRetencaoSchema,
  type Retencao,
  type RetencaoPatch,
  regrasRetencao,
  retencaoSchema,
  tiposRetencao,
} from '@vigia/contracts/retencao'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { Fact } from './fact-section.tsx'
import { checkRetencao, type FormularioRetencao, retencaoChangeOf, retencaoFormOf } from './retencao-form.ts'

interface EditRetencaoProps {
  readonly retencao: Retencao
  readonly nome: string
  readonly onClose: () => void
}

interface Counted {
  readonly patch: RetencaoPatch
  readonly contagem: ContagemRetencao
}

const COUNTED = ['eventos', 'imagens', 'clipes'] as const

/**
 * Form of the retention of an Empresa; an empty field is the value of the Empresa above, or the default. Shows what the
 * next sweep deletes before it saves.
 */
export function EditRetencao({ retencao, nome, onClose }: EditRetencaoProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const form = useApiForm({
    initial: retencaoFormOf(retencao),
    check: checkRetencao,
    sentence: (problem) => t(`retencao.${problem}`),
  })
  const change = useMutation({
    mutationFn: (patch: RetencaoPatch) =>
      api.send('PATCH', `/empresas/${retencao.empresa_id}/retencao`, patch, retencaoSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['retencao'] })
      announce(t('retencao.anuncio', { nome }))
      onClose()
    },
    onError: form.refuse,
  })
  const [counted, setCounted] = useState<Counted | null>(null)
  const count = useMutation({
    async mutationFn(patch: RetencaoPatch) {
      const path = `/empresas/${retencao.empresa_id}/retencao/contagem`
      const contagem = await api.send('POST', path, patch, contagemRetencaoSchema)
      if (COUNTED.every((name) => contagem[name] === 0)) await change.mutateAsync(patch)
      else setCounted({ patch, contagem })
    },
    onError: form.refuse,
  })
  const submit = (values: FormularioRetencao) => {
    const patch = retencaoChangeOf(retencao, values)
    if (patch) count.mutate(patch)
    else onClose()
  }
  if (counted)
    return (
      <Dialog
        danger
        title={t('retencao.contagem.titulo')}
        submit={t('retencao.contagem.salvar')}
        busy={change.isPending}
        failure={form.failure}
        onClose={onClose}
        onSubmit={() => change.mutate(counted.patch)}
      >
        <p>{t('retencao.contagem.ajuda')}</p>
        <Facts>
          {COUNTED.map((name) => (
            <Fact key={name} name={t(`retencao.contagem.${name}`)}>
              {formatNumber(counted.contagem[name])}
            </Fact>
          ))}
        </Facts>
      </Dialog>
    )
  return (
    <FormDialog
      title={t('retencao.mudarTitulo', { nome })}
      submit={t('comum.salvar')}
      busy={count.isPending}
      form={form}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{t('retencao.mudarAjuda')}</p>
      {tiposRetencao.map((tipo, index) => (
        <TextInput
          key={tipo}
          label={t('retencao.campoDias', { nome: t(`retencao.tipos.${tipo}`) })}
          description={t('retencao.campoDiasAjuda', {
            min: regrasRetencao[tipo].min,
            padrao: regrasRetencao[tipo].padrao,
          })}
          inputMode="numeric"
          maxLength={4}
          autoComplete="off"
          data-autofocus={index === 0 || undefined}
          {...form.field(`${tipo}_dias`)}
        />
      ))}
      {(['imagens', 'clipes'] as const).map((tipo) => (
        <TextInput
          key={tipo}
          label={t('retencao.campoGb', { nome: t(`retencao.tipos.${tipo}`) })}
          description={t('retencao.campoGbAjuda')}
          inputMode="decimal"
          maxLength={10}
          autoComplete="off"
          {...form.field(`${tipo}_gb`)}
        />
      ))}
    </FormDialog>
  )
}

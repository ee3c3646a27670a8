import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChaveCriada, chaveCriadaSchema, escoposChave } from '@vigia/contracts/chaves'
import { useTranslation } from 'react-i18next'
import { AlcanceField } from '../../../domains/locais/cameras/alcance-field.tsx'
import { OwnerFields } from '../../../domains/locais/cameras/owner-fields.tsx'
import { useOwner } from '../../../domains/locais/cameras/use-owner.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { CommandText, CopiedSecret, OnceNote } from '../../../ui/copied-secret.tsx'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import { chaveCreationOf, checkChave, emptyChave, type FormularioChave, validades } from './chave-form.ts'

/** Two steps: name and rights of the chave, then its secret, which is shown only once. */
export function AddChave({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const owner = useOwner({ creates: false })
  const form = useApiForm({
    initial: emptyChave,
    check: checkChave,
    sentence: (problem) =>
      problem === 'listaFalta' ? t('comum.alcance.listaFalta') : t(`chaves.formulario.${problem}`),
  })
  const creation = useMutation({
    mutationFn: (values: FormularioChave) =>
      api.send('POST', '/chaves', chaveCreationOf(values, Date.now()), chaveCriadaSchema),
    onSuccess({ nome }) {
      void queries.invalidateQueries({ queryKey: ['chaves'] })
      announce(t('chaves.anuncio.criada', { nome }))
    },
    onError: form.refuse,
    // The cache must not keep the secret after the dialog closes.
    gcTime: 0,
  })
  if (creation.data) return <NewChave created={creation.data} onClose={onClose} />
  return (
    <FormDialog
      title={t('chaves.formulario.titulo')}
      submit={t('chaves.formulario.criar')}
      busy={creation.isPending}
      form={form}
      onClose={onClose}
      onSubmit={creation.mutate}
    >
      <TextInput
        label={t('chaves.formulario.nome')}
        placeholder={t('chaves.formulario.nomeExemplo')}
        maxLength={80}
        autoComplete="off"
        data-autofocus
        {...form.field('nome')}
      />
      <OwnerFields owner={owner} form={form} />
      <NativeSelect
        label={t('chaves.formulario.escopo')}
        data={escoposChave.map((value) => ({ value, label: t(`chaves.formulario.${value}`) }))}
        {...form.field('escopo')}
      />
      <AlcanceField form={form} administra={form.values.escopo === 'escrita'} />
      <NativeSelect
        label={t('chaves.formulario.validade')}
        data={validades.map((value) => ({
          value,
          label: value === '' ? t('chaves.formulario.semFim') : t('chaves.formulario.dias', { count: Number(value) }),
        }))}
        {...form.field('validade')}
      />
    </FormDialog>
  )
}

function NewChave({ created, onClose }: { created: ChaveCriada; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog guarded title={t('chaves.nova.titulo', { nome: created.nome })} onClose={onClose}>
      <CopiedSecret
        label={t('chaves.nova.rotulo')}
        copy={t('chaves.nova.copiar')}
        copied={t('chaves.nova.copiado')}
        selected={t('chaves.nova.selecionado')}
      >
        {created.chave}
      </CopiedSecret>
      <OnceNote>{t('chaves.nova.umaVez')}</OnceNote>
      <p>{t('chaves.nova.uso')}</p>
      <CommandText translate="no">Authorization: Bearer {created.inicio}…</CommandText>
      <DialogButtons>
        <Button onClick={onClose}>{t('chaves.nova.guardei')}</Button>
      </DialogButtons>
    </InfoDialog>
  )
}

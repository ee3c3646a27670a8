import { Button, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { tiposCanal } from '@vigia/contracts/destinos'
import {
  type CanalNotificacao,
  canalCriadoSchema,
  canalNotificacaoSchema,
  MAX_CAMERAS_CANAL,
} from '@vigia/contracts/notificacoes'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { OwnerFields } from '../../../domains/locais/cameras/owner-fields.tsx'
import { useOwner } from '../../../domains/locais/cameras/use-owner.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { CopiedSecret, OnceNote } from '../../../ui/copied-secret.tsx'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { NamesField } from '../../../ui/names-field.tsx'
import { Soft } from '../../../ui/page.tsx'
import { styled } from '../../../ui/styled.ts'
import { useApiForm } from '../../../ui/use-api-form.ts'
import classes from './canais.module.css'
import {
  camerasOf,
  canalBodyOf,
  canalFormOf,
  checkCanal,
  type FormularioCanal,
  withDestinos,
  withTipo,
} from './canal-form.ts'
import { IaChoice } from './ia-choice.tsx'
import { MoreOptions } from './more-options.tsx'
import { WhenFields } from './when-fields.tsx'

interface EditCanalProps {
  /** null: a new one. */
  readonly canal: CanalNotificacao | null
  readonly onClose: () => void
}

/** Creates or changes a canal. The signing secret of a new webhook is shown only once. */
export function EditCanal({ canal, onClose }: EditCanalProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const announce = useAnnounce()
  const owner = useOwner({ creates: false })
  const form = useApiForm({
    initial: canalFormOf(canal),
    check: (values) => checkCanal(values, { needsEmpresa: canal === null }),
    sentence: (problem) => t(`canais.formulario.${problem}`),
  })
  const empresa = Number(form.values.empresa_id || owner.obvious)
  const { data: cameras = [], isSuccess } = useQuery({ ...camerasQuery(api, empresa), enabled: empresa > 0 })
  const named = camerasOf(form.values.camera_ids)
  // Another Empresa was chosen after its cameras.
  const chosen = isSuccess ? named.filter((id) => cameras.some((camera) => camera.id === id)) : named
  const saving = useMutation({
    async mutationFn(values: FormularioCanal) {
      const owned = { empresa_id: values.empresa_id || owner.obvious, camera_ids: chosen.join() }
      const body = canalBodyOf({ ...values, ...owned }, canal)
      if (canal === null) return await api.send('POST', '/notificacoes', body, canalCriadoSchema)
      await api.send('PATCH', `/notificacoes/${canal.id}`, body, canalNotificacaoSchema)
      return null
    },
    onSuccess(created) {
      void queries.invalidateQueries({ queryKey: ['canais'] })
      announce(t(canal === null ? 'canais.anuncio.criado' : 'canais.anuncio.salvo', { nome: form.values.nome }))
      if (!created?.segredo) onClose()
    },
    onError: (error) => form.refuse(withDestinos(error)),
    // The cache must not keep the secret after the dialog closes.
    gcTime: 0,
  })
  if (saving.data?.segredo) return <NewSecret segredo={saving.data.segredo} onClose={onClose} />
  return (
    <FormDialog
      title={t(canal === null ? 'canais.criar' : 'canais.formulario.mudar')}
      submit={t(canal === null ? 'canais.criar' : 'comum.salvar')}
      busy={saving.isPending}
      form={form}
      onClose={onClose}
      onSubmit={saving.mutate}
    >
      <FormPart>{t('canais.formulario.quem')}</FormPart>
      <TextInput
        label={t('canais.formulario.nome')}
        placeholder={t('canais.formulario.nomeExemplo')}
        maxLength={80}
        autoComplete="off"
        data-autofocus
        {...form.field('nome')}
      />
      {canal === null && <OwnerFields owner={owner} form={form} />}
      <FormPart>{t('canais.formulario.como')}</FormPart>
      <NativeSelect
        label={t('canais.formulario.tipo')}
        data={tiposCanal.map((value) => ({ value, label: t(`canais.tipo.${value}`) }))}
        {...form.field('tipo')}
        onChange={(event) => {
          for (const [field, value] of Object.entries(withTipo(event.currentTarget.value)))
            form.set(field as 'tipo' | 'agrupar' | 'placas', value)
        }}
      />
      <Textarea
        label={t('canais.formulario.destinos')}
        description={t(`canais.formulario.exemplo.${form.values.tipo as CanalNotificacao['tipo']}`)}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        autoCapitalize="none"
        {...form.field('destinos')}
      />
      {form.values.tipo === 'mqtt' && (
        <>
          <TextInput
            label={t('canais.formulario.usuario')}
            description={t(canal?.com_credenciais ? 'canais.formulario.loginGuardado' : 'canais.formulario.loginAjuda')}
            maxLength={256}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('usuario')}
          />
          <PasswordInput
            label={t('canais.formulario.senha')}
            maxLength={1024}
            autoComplete="new-password"
            {...form.field('senha')}
          />
        </>
      )}
      {me.mensagens_com_link === false && <Soft>{t('canais.formulario.semLink')}</Soft>}
      <FormPart>{t('canais.formulario.oQue')}</FormPart>
      <NamesField
        label={t('canais.formulario.cameras')}
        search={t(chosen.length === 0 ? 'canais.formulario.todasCameras' : 'canais.formulario.maisUma')}
        chosenLabel={t('canais.formulario.camerasEscolhidas', { count: chosen.length })}
        options={cameras}
        chosen={chosen}
        max={MAX_CAMERAS_CANAL}
        removeLabel={(nome) => t('canais.formulario.tirarCamera', { nome })}
        error={form.field('camera_ids').error}
        onChange={(ids) => form.set('camera_ids', ids.join())}
      />
      <IaChoice form={form} />
      <WhenFields form={form} />
      <MoreOptions form={form} />
    </FormDialog>
  )
}

/** Heading of the fields that follow. */
const FormPart = styled('h3', classes.part)

function NewSecret({ segredo, onClose }: { readonly segredo: string; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog guarded title={t('canais.segredo.titulo')} onClose={onClose}>
      <p>{t('canais.segredo.texto')}</p>
      <CopiedSecret
        label={t('canais.segredo.rotulo')}
        copy={t('canais.segredo.copiar')}
        copied={t('canais.segredo.copiado')}
        selected={t('canais.segredo.selecionado')}
      >
        {segredo}
      </CopiedSecret>
      <OnceNote>{t('canais.segredo.umaVez')}</OnceNote>
      <DialogButtons>
        <Button onClick={onClose}>{t('canais.segredo.guardei')}</Button>
      </DialogButtons>
    </InfoDialog>
  )
}

import type { AppSession } from '../../../access/callers.ts';
import { donoDe } from '../../../domain/acessos/sessoes/sessoes.regras.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import { SO_A_FORMA, lerDispositivo } from '../../../domain/push/dispositivos/dispositivos.campos.ts';
import type { Dispositivo, DonoDoDispositivo } from '../../../domain/push/push.types.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { faltasDe } from '../entrada.ts';
import { exigir } from '../erros.ts';
import { createNomes } from '../nomes.ts';
import { rota } from '../rota.ts';
import {
  aparelhoSchema,
  configuracaoSchema,
  corpoDeMudanca,
  corpoDeRegistro,
  exemploAparelho,
} from './push.schemas.ts';

const { paraACasa, comCamposDeFora, lerDeFora } = createNomes({
  kind: 'tipo',
  platform: 'plataforma',
  keys: 'chaves',
  app_version: 'versao',
  muted: 'silenciados',
});

const comum = { group: 'Push', permission: { cliente: true, equipe: true } } as const;

export const rotasDeAparelhos = [
  rota.get({
    group: 'Push',
    path: '/push/config',
    permission: null,
    anonymous: true,
    summary: 'O que o app precisa saber para registrar um aparelho',
    reading: 'record',
    kept: false,
    data: configuracaoSchema,
    example: {
      vapid_public_key: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      fcm: true,
    },
    async run({ session, services }) {
      const { chavePublica, fcm } = await services.push.configuracao(session.provedor.id);
      return { data: { vapid_public_key: chavePublica, fcm } };
    },
  }),
  rota.get({
    ...comum,
    path: '/push/devices',
    summary: 'Lista os aparelhos de quem pergunta',
    description: 'Os de todas as suas sessões, os mais novos primeiro.',
    reading: 'person',
    kept: false,
    data: { type: 'array', items: aparelhoSchema },
    example: [exemploAparelho],
    async run({ session, domain }) {
      const dono = exigirDono(session);
      return { data: (await domain.dispositivos.listar(dono)).map((um) => apresentar(um, dono)) };
    },
  }),
  rota.post({
    ...comum,
    path: '/push/devices',
    summary: 'Registra o aparelho da sessão',
    description:
      'O mesmo token de novo atualiza o que há (200), e passa a quem o registrou por último. O aparelho sai com a sua sessão.',
    body: {
      schema: corpoDeRegistro,
      required: true,
      judge: (corpo) => faltasDe(() => lerDeFora(() => lerDispositivo(paraACasa(objeto(corpo)), SO_A_FORMA))),
    },
    data: aparelhoSchema,
    example: exemploAparelho,
    success: 201,
    mayExist: true,
    async run({ session, body, domain, writes }) {
      const dono = exigirDono(session);
      const { id, existia } = await comCamposDeFora(async () => writes.dispositivos.registrar(dono, paraACasa(body)));
      return { data: await ler(domain, dono, id), existed: existia };
    },
  }),
  rota.put({
    ...comum,
    path: '/push/devices/{id}',
    params: { id: idNoCaminho },
    summary: 'Altera um aparelho de quem pede',
    description: 'O que falta fica como está. Uma inscrição de navegador muda inteira: endpoint e keys.',
    body: { schema: corpoDeMudanca, required: true },
    data: aparelhoSchema,
    example: exemploAparelho,
    errors: ['nao_encontrado'],
    async run({ params: { id }, session, body, domain, writes }) {
      const dono = exigirDono(session);
      await comCamposDeFora(async () => writes.dispositivos.alterar(dono, id, paraACasa(body)));
      return { data: await ler(domain, dono, id) };
    },
  }),
  rota.delete({
    ...comum,
    path: '/push/devices/{id}',
    params: { id: idNoCaminho },
    summary: 'Remove um aparelho de quem pede',
    data: closed('DeviceRemoved', { id: { type: 'integer' } }),
    example: { id: 31 },
    errors: ['nao_encontrado'],
    async run({ params: { id }, session, writes }) {
      await writes.dispositivos.remover(exigirDono(session), id);
      return { data: { id } };
    },
  }),
];

/** What is no object, the schema refuses. */
const objeto = (corpo: unknown): object | undefined =>
  typeof corpo === 'object' && corpo !== null && !Array.isArray(corpo) ? corpo : undefined;

/** Keys have no device, and are not let in by these routes. @throws Failure */
function exigirDono(session: AppSession): DonoDoDispositivo {
  const sua = session.kind === 'cliente' || session.kind === 'equipe' ? session : null;
  exigir(sua, 'permissao_insuficiente');
  return { ...donoDe(sua), sessaoId: sua.sessao.id };
}

async function ler(
  { dispositivos }: Dominio,
  dono: DonoDoDispositivo,
  id: number,
): Promise<TypeOf<typeof aparelhoSchema>> {
  const aparelho = await dispositivos.buscar(dono, id);
  exigir(aparelho, 'nao_encontrado');
  return apresentar(aparelho, dono);
}

const apresentar = (um: Dispositivo, { sessaoId }: DonoDoDispositivo): TypeOf<typeof aparelhoSchema> => ({
  id: um.id,
  kind: um.tipo,
  platform: um.plataforma,
  app_version: um.versao,
  muted: [...um.silenciados],
  current: um.sessaoId === sessaoId,
  seen_at: um.vistoEm.toISOString(),
  created_at: um.criadoEm.toISOString(),
});

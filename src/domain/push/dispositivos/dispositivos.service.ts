import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { createEnviosQueries } from '../mensagens/envios.queries.ts';
import { agoraEm } from '../mensagens/horario.regras.ts';
import { dadosDe } from '../mensagens/recurso.regras.ts';
import { duracaoDo } from '../tipos.regras.ts';
import { DO_DISPOSITIVO, paraDispositivo } from '../push.types.ts';
import type { Dispositivo, DonoDoDispositivo } from '../push.types.ts';
import { lerDispositivo, lerMudanca } from './dispositivos.campos.ts';
import type { Destino, RegrasDoDestino } from './dispositivos.campos.ts';
import { dispositivosDe } from './lista.service.ts';
import { cifrarDestino, resumoDoDestino } from './segredo.ts';

export type DispositivosService = ReturnType<typeof createDispositivosService>;

export interface DispositivosDeps {
  readonly w: Write;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly regras: RegrasDoDestino;
}

/** An app has one token; what a session registers beyond this is not an app's. */
const MAIS_POR_SESSAO = 10;

const TIPO_DO_TESTE = 'mensagem';

const donoEm = (dono: DonoDoDispositivo) => ({
  acesso_id: 'acessoId' in dono ? dono.acessoId : null,
  usuario_id: 'usuarioId' in dono ? dono.usuarioId : null,
});

const DE_QUEM = columns<{ acesso_id: number | null; usuario_id: number | null }>('push_dispositivos', {
  acesso_id: true,
  usuario_id: true,
});

/** Where somebody is told things. */
export function createDispositivosService({ w, relogio, segredos, regras }: DispositivosDeps) {
  async function exigir(dono: DonoDoDispositivo, id: number): Promise<Dispositivo> {
    const [row] = await rowsOf(dispositivosDe(w, dono).where({ id }).forUpdate(), DO_DISPOSITIVO);
    recusarSeNao(row, 'nao_encontrado');
    return paraDispositivo(row);
  }

  const agora = (): string => toDatabaseTime(relogio.agora());
  const emColunas = (destino: Destino) => ({
    token_hash: resumoDoDestino(destino),
    token: cifrarDestino(segredos, w.provedorId, destino),
  });

  /** What waited for whoever had the device before is not for who has it now. */
  async function esquecerEnvios(id: number): Promise<void> {
    await w.delete('push_envios', (q) => void q.where('dispositivo_id', id));
  }

  async function tirarExcedentes(dono: DonoDoDispositivo): Promise<void> {
    const daSessao = dispositivosDe(w, dono)
      .where('sessao_id', dono.sessaoId)
      .orderBy('visto_em', 'desc')
      .orderBy('id', 'desc');
    const ids = (await rowsOf(daSessao, ID)).slice(MAIS_POR_SESSAO).map(({ id }) => id);
    if (ids.length > 0) await w.delete('push_dispositivos', (q) => void q.whereIn('id', ids));
  }

  return {
    /**
     * Registers a device for a session. The same token again changes what there is, and goes to whoever registers it last.
     *
     * @returns whether it was there before
     * @throws CamposInvalidos
     */
    async registrar(
      dono: DonoDoDispositivo,
      dados: unknown,
    ): Promise<{ readonly id: number; readonly existia: boolean }> {
      const { destino, plataforma, versao, silenciados } = lerDispositivo(dados, regras);
      // The kind too: the same text may be a token and an endpoint.
      const colunas = {
        ...emColunas(destino),
        ...donoEm(dono),
        tipo: destino.tipo,
        sessao_id: dono.sessaoId,
        plataforma,
      };
      const deste = w.from('push_dispositivos').where('token_hash', colunas.token_hash).forUpdate();
      const [antes] = await rowsOf(deste, DO_DISPOSITIVO, DE_QUEM);
      if (antes === undefined) {
        const id = await w.insert(
          'push_dispositivos',
          {
            ...colunas,
            versao: versao ?? null,
            silenciados: JSON.stringify(silenciados ?? []),
            visto_em: agora(),
            criado_em: agora(),
          },
          { soughtBefore: true },
        );
        await tirarExcedentes(dono);
        return { id, existia: false };
      }
      const mesmo = antes.acesso_id === colunas.acesso_id && antes.usuario_id === colunas.usuario_id;
      if (!mesmo) await esquecerEnvios(antes.id);
      await w.update('push_dispositivos', (q) => void q.where('id', antes.id), {
        ...colunas,
        visto_em: agora(),
        ...(versao === undefined ? {} : { versao }),
        // What another chose to be silent about is not chosen by whoever comes after.
        ...(silenciados === undefined && mesmo ? {} : { silenciados: JSON.stringify(silenciados ?? []) }),
      });
      await tirarExcedentes(dono);
      return { id: antes.id, existia: true };
    },

    /** Changes what is named. A token that another device has is this one's from now on. @throws CamposInvalidos, Recusa `nao_encontrado` */
    async alterar(dono: DonoDoDispositivo, id: number, dados: unknown): Promise<void> {
      const antes = await exigir(dono, id);
      const { destino, versao, silenciados } = lerMudanca(dados, antes.tipo, regras);
      const novo = destino === undefined ? null : emColunas(destino);
      if (novo !== null && novo.token_hash.toString('hex') !== antes.resumo) {
        const { token_hash } = novo;
        await w.delete('push_dispositivos', (q) => void q.where({ token_hash }).whereNot('id', id));
      }
      await w.update('push_dispositivos', (q) => void q.where({ id }), {
        ...novo,
        ...(versao === undefined ? {} : { versao }),
        ...(silenciados === undefined ? {} : { silenciados: JSON.stringify(silenciados) }),
        visto_em: agora(),
      });
    },

    /** Queues a notice to one device alone, by which whoever has it sees that notices arrive. @throws Recusa `nao_encontrado` */
    async testar(dono: DonoDoDispositivo, id: number, fuso: string): Promise<void> {
      const { sessaoId } = await exigir(dono, id);
      const { em, dia } = agoraEm(fuso, relogio.agora());
      await createEnviosQueries(w).inserir([
        {
          dispositivo_id: id,
          evento_id: null,
          tipo: TIPO_DO_TESTE,
          chave: `${TIPO_DO_TESTE}:teste:${id}`,
          titulo: 'Aviso de teste',
          texto: 'Os avisos chegam a este aparelho.',
          dados: JSON.stringify(
            dadosDe(TIPO_DO_TESTE, { nome: 'mensagem', id: 0 }, sessaoId === null ? 'painel' : 'app'),
          ),
          dia,
          proxima_em: toDatabaseTime(em),
          expira_em: toDatabaseTime(new Date(em.getTime() + duracaoDo(TIPO_DO_TESTE))),
          criado_em: toDatabaseTime(em),
        },
      ]);
    },

    /** Removes a device, with what was to be sent to it. @throws Recusa `nao_encontrado` */
    async remover(dono: DonoDoDispositivo, id: number): Promise<void> {
      await exigir(dono, id);
      await w.delete('push_dispositivos', (q) => void q.where({ id }));
    },
  };
}

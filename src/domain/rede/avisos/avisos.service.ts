import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import { conferirVersao } from '../../campos/versao.ts';
import { CamposInvalidos, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { AVISOS_TAG } from '../../tags.ts';
import { guardarQuedas } from '../deteccao/fim.queries.ts';
import { FORMA_DA_ALTERACAO, FORMA_DA_CONFIRMACAO, FORMA_DE_AVISO, FORMA_DO_FIM } from './avisos.campos.ts';
import { COLUNAS_DO_AVISO, colunasDoAlvo } from './avisos.types.ts';
import type { AlvoDeAviso, AvisoRow } from './avisos.types.ts';

export type AvisosService = ReturnType<typeof createAvisosService>;

const ENDERECO = columns<{ nasipaddress: string }>('provedores_nas', { nasipaddress: true });

/** Notices of the network as staff open, change and close them. */
export function createAvisosService({ w, relogio }: { readonly w: Write; readonly relogio: Relogio }) {
  async function travarAberto(id: number, esperada: Date | undefined): Promise<AvisoRow> {
    const [aviso] = await rowsOf(w.from('avisos_de_rede').where({ id }).forUpdate(), COLUNAS_DO_AVISO);
    recusarSeNao(aviso, 'nao_encontrado');
    conferirVersao(esperada, aviso.atualizado_em);
    recusarSeNao(aviso.fim === null, 'aviso_encerrado');
    return aviso;
  }

  /** Servers, POPs and plans must be the provider's; they stay as long as the write lasts. */
  async function exigirAlvos(alvos: readonly AlvoDeAviso[]): Promise<void> {
    const ids = (tipo: 'pop' | 'plano') => alvos.flatMap((alvo) => (alvo.tipo === tipo ? [alvo.id] : []));
    const nas = alvos.flatMap((alvo) => (alvo.tipo === 'nas' ? [alvo.nas] : []));
    const pops = await rowsOf(w.from('pops').whereIn('id', ids('pop')).forShare(), ID);
    const planos = await rowsOf(w.from('planos').whereIn('id', ids('plano')).forShare(), ID);
    const doProvedor = await rowsOf(w.from('provedores_nas').whereIn('nasipaddress', nas).forShare(), ENDERECO);
    const ha = new Set([
      ...pops.map(({ id }) => `pop ${id}`),
      ...planos.map(({ id }) => `plano ${id}`),
      ...doProvedor.map(({ nasipaddress }) => `nas ${nasipaddress}`),
    ]);
    const faltas = alvos.flatMap((alvo, n) => {
      if (alvo.tipo !== 'nas' && alvo.tipo !== 'pop' && alvo.tipo !== 'plano') return [];
      const parte = alvo.tipo === 'nas' ? 'nas' : 'id';
      if (ha.has(`${alvo.tipo} ${alvo.tipo === 'nas' ? alvo.nas : alvo.id}`)) return [];
      return [
        { campo: `alvos.${n}.${parte}`, codigo: 'parametro_invalido' as const, mensagem: 'o registro não existe' },
      ];
    });
    if (faltas.length > 0) throw new CamposInvalidos(faltas);
  }

  return {
    /**
     * Opens a notice, at once or for a time to come. Who it covers, `avisosDeRede.cobertura` says beforehand.
     *
     * @throws CamposInvalidos
     */
    async abrir(dados: unknown): Promise<{ readonly id: number }> {
      const lidos = lerCampos(FORMA_DE_AVISO, dados);
      const agora = relogio.agora();
      const inicio = lidos.inicio ?? agora;
      const previsao = lidos.previsao ?? null;
      exigirDepois('previsao', previsao, inicio);
      await exigirAlvos(lidos.alvos);
      const instante = toDatabaseTime(agora);
      const id = await w.insert('avisos_de_rede', {
        tipo: lidos.tipo,
        titulo: lidos.titulo,
        texto: lidos.texto,
        inicio: toDatabaseTime(inicio),
        previsao: previsao === null ? null : toDatabaseTime(previsao),
        origem: 'equipe',
        aberto_por: w.author.usuarioId,
        autor: w.author.name.slice(0, 120),
        criado_em: instante,
        atualizado_em: instante,
      });
      await w.insert(
        'avisos_de_rede_alvos',
        lidos.alvos.map((alvo) => ({ aviso_id: id, ...colunasDoAlvo(alvo) })),
      );
      w.touch(AVISOS_TAG);
      const especies = [...new Set(lidos.alvos.map(({ tipo }) => tipo))];
      w.emit('rede.aviso_aberto', id, { tipo: lidos.tipo, origem: 'equipe', alvos: especies });
      return { id };
    },

    /**
     * Changes the words, the kind or the forecast of an open notice; a forecast of null is none.
     *
     * @returns the names of what is not as it was
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `versao_divergente`, `aviso_encerrado`
     */
    async alterar(id: number, dados: unknown): Promise<readonly string[]> {
      const { atualizado_em, previsao, ...resto } = lerAlteracao(FORMA_DA_ALTERACAO, dados);
      const aviso = await travarAberto(id, atualizado_em);
      if (previsao !== undefined) exigirDepois('previsao', previsao, fromDatabaseTime(aviso.inicio));
      const novos = {
        ...resto,
        ...(previsao === undefined ? {} : { previsao: previsao === null ? null : toDatabaseTime(previsao) }),
      };
      const mudam = Object.entries(novos).filter(
        ([nome, novo]) => novo !== undefined && novo !== aviso[nome as keyof AvisoRow],
      );
      if (mudam.length === 0) return [];
      await w.update('avisos_de_rede', (q) => void q.where({ id }), {
        ...Object.fromEntries(mudam),
        atualizado_em: toDatabaseTime(relogio.agora()),
      });
      const campos = mudam.map(([nome]) => nome);
      w.touch(AVISOS_TAG);
      w.emit('rede.aviso_alterado', id, { campos });
      return campos;
    },

    /**
     * Makes a detected notice the staff's: it stays open until they close it, whatever comes back.
     *
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `versao_divergente`, `aviso_encerrado`, `aviso_da_equipe`
     */
    async confirmar(id: number, dados: unknown = {}): Promise<void> {
      const lidos = lerCampos(FORMA_DA_CONFIRMACAO, dados);
      const aviso = await travarAberto(id, lidos.atualizado_em);
      recusarSeNao(aviso.origem === 'detectado' && aviso.confirmado_em === null, 'aviso_da_equipe');
      const instante = toDatabaseTime(relogio.agora());
      await w.update('avisos_de_rede', (q) => void q.where({ id }), {
        confirmado_em: instante,
        atualizado_em: instante,
      });
      w.touch(AVISOS_TAG);
      w.emit('rede.aviso_alterado', id, { campos: ['confirmado'] });
    },

    /**
     * Closes an open notice, now or as of a moment that has passed. One whose time was yet to come is closed at its beginning.
     *
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `versao_divergente`, `aviso_encerrado`
     */
    async encerrar(id: number, dados: unknown = {}): Promise<void> {
      const lidos = lerCampos(FORMA_DO_FIM, dados);
      const aviso = await travarAberto(id, lidos.atualizado_em);
      await guardarQuedas(w, aviso);
      const agora = relogio.agora();
      const inicio = fromDatabaseTime(aviso.inicio);
      const fim = lidos.fim ?? (inicio > agora ? inicio : agora);
      if (lidos.fim !== undefined && lidos.fim !== null) {
        if (lidos.fim > agora) faltaEm('fim', 'não pode ser no futuro');
        if (lidos.fim < inicio) faltaEm('fim', 'não pode ser antes do início');
      }
      await w.update('avisos_de_rede', (q) => void q.where({ id }), {
        fim: toDatabaseTime(fim),
        atualizado_em: toDatabaseTime(agora),
      });
      w.touch(AVISOS_TAG);
      w.emit('rede.aviso_encerrado', id, { tipo: aviso.tipo, origem: aviso.origem });
    },
  };
}

function exigirDepois(campo: string, valor: Date | null, inicio: Date): void {
  if (valor !== null && valor <= inicio) faltaEm(campo, 'deve ser depois do início');
}

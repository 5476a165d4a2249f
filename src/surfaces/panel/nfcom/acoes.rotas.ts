import { html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { area, escolha } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { Recusado, naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota, Tela } from '../rota.ts';
import { CAMPOS_DO_AJUSTE, lerAjuste, telaDoAjuste } from './ajuste.ts';
import { exigirNota, telaSobreNota } from './nota.ts';
import type { DaNota } from './nota.ts';
import { MOTIVOS_DA_SUBSTITUICAO } from './palavras.ts';

const ROTULOS = { justificativa: 'Justificativa', motivo: 'Motivo' };

async function telaDoCancelamento(chamada: DaNota, estado: EstadoDoFormulario): Promise<Tela> {
  const nota = await exigirNota(chamada);
  return telaSobreNota(
    nota,
    'Cancelar nota',
    html`${aviso('warning', 'Só a nota é cancelada: a fatura continua a mesma. Não dá para desfazer; depois, a fatura pode ter outra nota.')}
    ${formulario({
      para: `/nfcom/${nota.id}/cancelar`,
      estado,
      rotulos: ROTULOS,
      enviar: 'Cancelar nota',
      volta: `/nfcom/${nota.id}`,
      perigoso: true,
      corpo: area(estado, {
        nome: 'justificativa',
        rotulo: ROTULOS.justificativa,
        obrigatorio: true,
        maximo: 255,
        linhas: 2,
        dica: 'De 15 a 255 letras; vai à autoridade fiscal.',
      }),
    })}`,
  );
}

async function telaDaSubstituicao(chamada: DaNota, estado: EstadoDoFormulario): Promise<Tela> {
  const nota = await exigirNota(chamada);
  return telaSobreNota(
    nota,
    'Substituir nota',
    html`<p>
        Outra nota é emitida com a fatura e o cadastro como estão agora. Quando for autorizada, esta passa a
        substituída.
      </p>
      ${formulario({
        para: `/nfcom/${nota.id}/substituir`,
        estado,
        rotulos: ROTULOS,
        enviar: 'Emitir a substituta',
        volta: `/nfcom/${nota.id}`,
        corpo: escolha(estado, {
          nome: 'motivo',
          rotulo: ROTULOS.motivo,
          obrigatorio: true,
          opcoes: Object.entries(MOTIVOS_DA_SUBSTITUICAO).map(([valor, texto]) => ({ valor, texto })),
        }),
      })}`,
  );
}

async function telaDaDesistencia(chamada: DaNota, estado: EstadoDoFormulario): Promise<Tela> {
  const nota = await exigirNota(chamada);
  return telaSobreNota(
    nota,
    'Desistir da nota',
    html`${aviso('warning', 'O número dela fica para a próxima nota. A fatura fica sem nota fiscal, até que se emita outra.')}
    ${formulario({
      para: `/nfcom/${nota.id}/descartar`,
      estado,
      rotulos: {},
      enviar: 'Desistir da nota',
      volta: `/nfcom/${nota.id}`,
      perigoso: true,
      corpo: html``,
    })}`,
  );
}

const baixar = (tipo: 'pdf' | 'xml'): Rota =>
  pagina(`/nfcom/{id}/baixar/${tipo}`, {
    permissao: 'nfcom.ver',
    async mostrar(chamada) {
      const { dominio, sessao } = chamada;
      const { id, clienteId } = await exigirNota(chamada);
      const documento = await dominio.danfe[tipo](id);
      if (documento === null) {
        throw new Recusado(422, 'A nota não tem este documento', 'O DANFE-COM e o XML existem depois de autorizada.');
      }
      await dominio.acessos.anotarAcesso({ usuarioId: sessao.usuario.id, clienteId, oQue: 'cliente' });
      const arquivo = { nome: `${documento.nome}.${tipo}`, tipo: `application/${tipo}`, corpo: documento.fazer };
      return { arquivo };
    },
  });

const baixarCancelamento: Rota = pagina('/nfcom/{id}/baixar/cancelamento', {
  permissao: 'nfcom.ver',
  async mostrar(chamada) {
    const { dominio, sessao } = chamada;
    const { id, clienteId, chave } = await exigirNota(chamada);
    const corpo = await dominio.notas.cancelamento(id);
    if (corpo === null) {
      throw new Recusado(
        422,
        'A nota não tem este documento',
        'O XML existe depois que a autoridade registra o cancelamento.',
      );
    }
    await dominio.acessos.anotarAcesso({ usuarioId: sessao.usuario.id, clienteId, oQue: 'cliente' });
    return { arquivo: { nome: `nfcom-${chave ?? id}-cancelamento.xml`, tipo: 'application/xml', corpo } };
  },
});

const permissao = 'nfcom.emitir';

/** What is done about one note, and its documents. */
export const ACOES_DA_NOTA: readonly Rota[] = [
  baixar('pdf'),
  baixar('xml'),
  baixarCancelamento,
  acao('/nfcom/{id}/reemitir', {
    permissao,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { nfcom }) => nfcom.reemitir(id));
      return { ir: `/nfcom/${id}`, feito: 'nota_na_fila' };
    },
  }),
  pagina('/nfcom/{id}/descartar', {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDaDesistencia(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/{id}/descartar', {
    permissao,
    formulario: telaDaDesistencia,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { nfcom }) => nfcom.descartar(id));
      return { ir: `/nfcom/${id}`, feito: 'salvo' };
    },
  }),
  pagina('/nfcom/{id}/cancelar', {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDoCancelamento(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/{id}/cancelar', {
    permissao,
    campos: { justificativa: 'texto' },
    formulario: telaDoCancelamento,
    async fazer({ parametros: { id }, dados, ler, mudar }) {
      await conferirNota(id, ler);
      await mudar(async (_dominio, { nfcom }) => nfcom.cancelar(id, dados));
      return { ir: `/nfcom/${id}`, feito: 'cancelamento_pedido' };
    },
  }),
  pagina('/nfcom/{id}/substituir', {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDaSubstituicao(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/{id}/substituir', {
    permissao,
    campos: { motivo: 'texto' },
    formulario: telaDaSubstituicao,
    async fazer({ parametros: { id }, dados, ler, mudar }) {
      await conferirNota(id, ler);
      const nova = await mudar(async (_dominio, { nfcom }) => nfcom.substituir(id, dados));
      return { ir: `/nfcom/${nova}`, feito: 'nota_na_fila' };
    },
  }),
  pagina('/nfcom/{id}/ajustar', {
    permissao,
    mostrar: async (chamada) => ({ tela: await telaDoAjuste(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/{id}/ajustar', {
    permissao,
    campos: CAMPOS_DO_AJUSTE,
    formulario: telaDoAjuste,
    async fazer({ parametros: { id }, dados, ler, mudar }) {
      await conferirNota(id, ler);
      const nova = await mudar(async (_dominio, { nfcom }) => nfcom.ajustar(id, lerAjuste(dados)));
      return { ir: `/nfcom/${nova}`, feito: 'nota_na_fila' };
    },
  }),
];

/** A note of another provider is not there, whatever was typed. @throws Recusado */
async function conferirNota(
  id: number,
  ler: <V>(como: (d: DaNota['dominio']) => Promise<V>) => Promise<V>,
): Promise<void> {
  if ((await ler(async ({ notas }) => notas.buscar(id))) === null) throw naoEncontrado();
}

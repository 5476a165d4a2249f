import { RECUSAS } from '../../../domain/erros.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { aviso } from '../componentes/cartao.ts';
import { instante } from '../componentes/escrita.ts';
import { area, caixa, escolha } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Rota, Tela } from '../rota.ts';
import { ROTULO_DA_VERSAO, exigirContrato, naoCabe, telaSobreContrato, versaoDo } from './apoio.ts';
import type { DoContrato } from './apoio.ts';
import { MOVIMENTOS_DA_TELA, TIPOS, motivoDaConfianca } from './movimentos.ts';
import type { MovimentoDaTela } from './movimentos.ts';
import { ditaDoContrato } from '../clientes/palavras.ts';
import { DO_MES_JA_USADO } from './palavras.ts';

const ROTULOS = {
  motivo: 'Motivo',
  confirmado: 'Confirmei com o titular o e-mail e os telefones',
  faturas_futuras: 'Faturas que ainda não venceram',
  ...ROTULO_DA_VERSAO,
};

const motivo = (estado: EstadoDoFormulario, obrigatorio: boolean): Html =>
  area(estado, {
    nome: 'motivo',
    rotulo: ROTULOS.motivo,
    obrigatorio,
    maximo: 500,
    linhas: 2,
    dica: 'Fica no histórico do contrato. O cliente não o vê.',
  });

const confirmado = (estado: EstadoDoFormulario): Html =>
  caixa(estado, {
    nome: 'confirmado',
    rotulo: ROTULOS.confirmado,
    dica: 'Só é preciso de quem se cadastrou sozinho e tem outro cadastro com o mesmo CPF ou CNPJ.',
  });

const faturasFuturas = (estado: EstadoDoFormulario): Html =>
  escolha(estado, {
    nome: 'faturas_futuras',
    rotulo: ROTULOS.faturas_futuras,
    obrigatorio: true,
    vazia: 'Escolha o que fazer com elas',
    dica: DO_MES_JA_USADO,
    opcoes: [
      { valor: 'cancelar', texto: 'Cancelar: o cliente não deve mais' },
      { valor: 'manter', texto: 'Manter: o cliente ainda deve' },
    ],
  });

function telaDo(movimento: MovimentoDaTela) {
  const { nome, titulo, enviar, perigoso = false, cabe, acontece, alerta, campos, exigeMotivo } = movimento;
  return async (chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> => {
    const contrato = await exigirContrato(chamada);
    const { id, situacao } = contrato;
    if (!cabe(contrato)) {
      const texto = `O contrato está ${ditaDoContrato(situacao).toLowerCase()}, e disso não vem para isto. Nada foi mudado.`;
      return telaSobreContrato(contrato, titulo, naoCabe(id, texto));
    }
    const alto = (await alerta?.(chamada.dominio, contrato)) ?? null;
    return telaSobreContrato(
      contrato,
      titulo,
      html`${alto === null ? null : aviso('danger', alto)}${aviso(perigoso ? 'warning' : 'info', html`${acontece(contrato).map((frase) => html`<p class="mb-1">${frase}</p>`)}`)}
      ${formulario({
        para: `/contratos/${id}/${nome}`,
        estado,
        rotulos: ROTULOS,
        enviar,
        volta: `/contratos/${id}`,
        perigoso,
        corpo: html`${versaoDo(contrato, estado)} ${campos.includes('faturas_futuras') ? faturasFuturas(estado) : null}
        ${campos.includes('motivo') ? motivo(estado, exigeMotivo?.(contrato) ?? false) : null}
        ${campos.includes('confirmado') ? confirmado(estado) : null}`,
      })}`,
    );
  };
}

const doMovimento = (movimento: MovimentoDaTela): readonly Rota[] => {
  const { nome, permissao, campos, fazer, feito } = movimento;
  const tela = telaDo(movimento);
  const caminho = `/contratos/{id}/${nome}` as const;
  return [
    pagina(caminho, { permissao, mostrar: async (chamada) => ({ tela: await tela(chamada, EM_BRANCO) }) }),
    acao(caminho, {
      permissao,
      campos: { atualizado_em: 'texto', ...Object.fromEntries(campos.map((campo) => [campo, TIPOS[campo]])) },
      formulario: tela,
      async fazer({ parametros: { id }, dados, mudar }) {
        await mudar(async (_dominio, escritas) => fazer(escritas, id, dados));
        return { ir: `/contratos/${id}`, feito };
      },
    }),
  ];
};

async function telaDaConfianca(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const possivel = await chamada.dominio.desbloqueios.avaliar(contrato.id);
  if (possivel === null) throw naoEncontrado();
  const { impede, dias, ate } = possivel;
  const { fusoHorario } = chamada.sessao.provedor;
  const titulo = 'Desbloquear em confiança';
  const { id } = contrato;
  if (impede !== null) {
    return telaSobreContrato(contrato, titulo, naoCabe(id, `Não dá para desbloquear agora: ${RECUSAS[impede]}.`));
  }
  const prazo = dias === 1 ? '1 dia' : `${dias} dias`;
  return telaSobreContrato(
    contrato,
    titulo,
    html`${aviso(
      'info',
      html`<p class="mb-1">O cliente volta a ter acesso por ${prazo}, até ${instante(fusoHorario, ate)}.</p>
        <p class="mb-0">
          Sem pagamento até lá, o contrato volta a ser bloqueado, e não há outro enquanto a fatura que o causou estiver
          aberta.
        </p>`,
    )}
    ${formulario({
      para: `/contratos/${id}/confianca`,
      estado,
      rotulos: ROTULOS,
      enviar: 'Desbloquear em confiança',
      volta: `/contratos/${id}`,
      corpo: motivo(estado, false),
    })}`,
  );
}

async function telaDaDesconexao(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id } = contrato;
  return telaSobreContrato(
    contrato,
    'Encerrar sessão',
    html`${aviso('warning', 'O servidor derruba a sessão que está aberta. O equipamento do cliente reconecta sozinho, em geral em menos de um minuto. O contrato não muda.')}
    ${formulario({
      para: `/contratos/${id}/desconectar`,
      estado,
      rotulos: {},
      enviar: 'Encerrar sessão',
      volta: `/contratos/${id}`,
      perigoso: true,
      corpo: html``,
    })}`,
  );
}

export const MOVIMENTOS: readonly Rota[] = [
  ...MOVIMENTOS_DA_TELA.flatMap(doMovimento),
  pagina('/contratos/{id}/confianca', {
    permissao: 'contratos.desbloquear_confianca',
    mostrar: async (chamada) => ({ tela: await telaDaConfianca(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/confianca', {
    permissao: 'contratos.desbloquear_confianca',
    campos: { motivo: 'texto' },
    formulario: telaDaConfianca,
    async fazer({ parametros: { id }, dados, mudar }) {
      const porque = motivoDaConfianca(dados);
      await mudar(async (_dominio, { desbloqueios }) => desbloqueios.aplicar(id, porque));
      return { ir: `/contratos/${id}`, feito: 'em_confianca' };
    },
  }),
  pagina('/contratos/{id}/desconectar', {
    permissao: 'conexao.desconectar',
    mostrar: async (chamada) => ({ tela: await telaDaDesconexao(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/desconectar', {
    permissao: 'conexao.desconectar',
    formulario: telaDaDesconexao,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { desconexoes }) => desconexoes.desconectar(id));
      return { ir: `/contratos/${id}`, feito: 'sessao_encerrada' };
    },
  }),
];

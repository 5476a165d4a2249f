import { readFile } from 'node:fs/promises';
import { opcional } from '../../../domain/campos/campos.ts';
import { id as idDaConta } from '../../../domain/campos/leitores.ts';
import { Recusa, faltaEm } from '../../../domain/erros.ts';
import type { Cobrador } from '../../../domain/cobradores/leitura.service.ts';
import type { Teste } from '../../../domain/psp/convenios/conexao.service.ts';
import { provaPorFatorRecente, provaRecente } from '../../../domain/usuarios/sessoes/sessoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { arquivo as campoDeArquivo, entrada } from '../formulario/campos.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { comVersao } from '../formulario/versao.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, ChamadaDeAcao, Rota, Tela } from '../rota.ts';
import { doPsp, telaDoPsp } from './psp.ts';

const permissao = 'cobranca.editar';
const AQUI = '/configuracoes/cobranca/contas/{id}/psp';
/** A form with a file names its account in the query. */
const CERTIFICADO = '/configuracoes/cobranca/psp/certificado';
const consulta = { conta: opcional(idDaConta) };
const MAIOR_PFX = 64 * 1024;

const CAMPOS = {
  adaptador: 'texto',
  chave: 'texto',
  tipo: 'texto',
  validade_dias: 'texto',
  base: 'apagavel',
  token_url: 'apagavel',
  client_id: 'segredo',
  client_secret: 'segredo',
  chave_do_aplicativo: 'segredo',
  cas_extras: 'apagavel',
  versao: 'texto',
} as const;

const ROTULOS = { certificado: 'Arquivo do certificado', senha: 'Senha do certificado' };

/** The page of an account's PSP with what the PSP has just answered. */
async function telaDoTeste(
  { ler, ...chamada }: ChamadaDeAcao<{ readonly id: number }>,
  { certo, codigo, motivo }: Teste,
): Promise<{ readonly tela: Tela }> {
  const dito = certo
    ? aviso('success', 'O PSP respondeu como devia.')
    : aviso('danger', `O PSP não fez o que se pediu: ${motivo || codigo}.`);
  return { tela: await ler(async (dominio) => telaDoPsp({ ...chamada, dominio }, null, dito)) };
}

interface DaConta {
  readonly conta?: number | undefined;
}

/** The account that a query names, or else the provider's default. */
function contaPedida(contas: readonly Cobrador[], { conta }: DaConta): Cobrador {
  const achada = contas.find((uma) => (conta === undefined ? uma.padrao : uma.id === conta));
  if (achada === undefined) throw naoEncontrado();
  return achada;
}

/** A file cannot wait while somebody proves who he is, so its form is shown after he has. */
async function telaDoCertificado(chamada: Chamada<unknown, DaConta>, estado: EstadoDoFormulario): Promise<Tela> {
  const conta = contaPedida(await chamada.dominio.cobradores.listar(), chamada.consulta);
  const { sessao, agora } = chamada;
  const em = doPsp(conta.id);
  return {
    titulo: 'Certificado do PSP',
    menu: 'cobranca',
    migalhas: [[`PSP de ${conta.nome}`, em]],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        'Guardar o certificado',
        provaRecente(sessao.sessao, agora) && provaPorFatorRecente(sessao.sessao, agora)
          ? html`<p>É guardado cifrado. A senha e a chave não voltam a ser mostradas em lugar nenhum.</p>
              ${formulario({
                para: `${CERTIFICADO}?conta=${conta.id}`,
                estado,
                rotulos: ROTULOS,
                enviar: 'Guardar',
                volta: em,
                comArquivo: true,
                corpo: html`${campoDeArquivo(estado, { nome: 'certificado', rotulo: ROTULOS.certificado, obrigatorio: true, aceita: '.pfx,.p12', dica: 'O que o PSP deu, de extensão .pfx ou .p12.' })}
                ${entrada(estado, { nome: 'senha', rotulo: ROTULOS.senha, tipo: 'password', autocomplete: 'off' })}`,
              })}`
          : html`<p>Antes de mexer no certificado, confirme que é você.</p>
              ${botao({ para: `${CERTIFICADO}/confirmar?conta=${conta.id}`, texto: 'Confirmar e continuar', classe: 'btn btn-primary' })}`,
      )}
    </div>`,
  };
}

/** The PSP of a charging account: whoever says to whom money goes proves first who he is, with a second factor. */
export const PSP: readonly Rota[] = [
  pagina(AQUI, { permissao, mostrar: async (chamada) => ({ tela: await telaDoPsp(chamada, null) }) }),
  acao(AQUI, {
    permissao,
    prova: 'fator',
    campos: CAMPOS,
    formulario: telaDoPsp,
    async fazer({ ator, sessao, parametros: { id }, dados: enviados, servicos, ler }) {
      const { dados, lida } = comVersao(enviados);
      const ha = await ler(async (dominio) =>
        (await dominio.psp.convenios()).some(({ cobradorId }) => cobradorId === id),
      );
      // What is secret is not shown, so an empty field is no word of it.
      const ditos = Object.fromEntries(
        Object.entries(dados).filter(([nome, valor]) => !SECRETOS.includes(nome) || comoTexto(valor) !== '' || !ha),
      );
      await servicos.psp.configurar(ator, sessao.provedor.id, id, comNulos(ditos), lida);
      return { ir: doPsp(id), feito: 'salvo' };
    },
  }),
  acao(`${AQUI}/testar`, {
    permissao,
    async fazer(chamada) {
      const { sessao, parametros, servicos } = chamada;
      return telaDoTeste(chamada, await servicos.psp.testar(sessao.provedor.id, parametros.id));
    },
  }),
  acao(`${AQUI}/webhook`, {
    permissao,
    prova: 'fator',
    async fazer(chamada) {
      const { ator, sessao, parametros, servicos } = chamada;
      return telaDoTeste(chamada, await servicos.psp.registrarWebhook(ator, sessao.provedor, parametros.id));
    },
  }),
  acao(`${AQUI}/tentar`, {
    permissao,
    async fazer({ ator, sessao, parametros: { id }, servicos }) {
      await servicos.psp.tentarDeNovo(ator, sessao.provedor.id, id);
      return { ir: doPsp(id), feito: 'salvo' };
    },
  }),
  ...(['ativar', 'desativar'] as const).map((que) =>
    acao(`${AQUI}/${que}`, {
      permissao,
      prova: 'fator',
      async fazer({ ator, sessao, parametros, servicos }) {
        const { id } = parametros as { readonly id: number };
        await servicos.psp.ativar(ator, sessao.provedor.id, id, que === 'ativar');
        return { ir: doPsp(id), feito: 'salvo' };
      },
    }),
  ),
  pagina(CERTIFICADO, {
    permissao,
    consulta,
    mostrar: async (chamada) => ({ tela: await telaDoCertificado(chamada, EM_BRANCO) }),
  }),
  acao(`${CERTIFICADO}/confirmar`, {
    permissao,
    consulta,
    prova: 'fator',
    async fazer({ consulta: pedida, ler }) {
      const conta = contaPedida(await ler(async (dominio) => dominio.cobradores.listar()), pedida);
      return { ir: `${CERTIFICADO}?conta=${conta.id}` };
    },
  }),
  acao(CERTIFICADO, {
    permissao,
    consulta,
    campos: { senha: 'segredo' },
    arquivo: { campo: 'certificado', maximo: MAIOR_PFX },
    formulario: telaDoCertificado,
    async fazer({ ator, arquivo, dados, sessao, agora, consulta: pedida, servicos, ler }) {
      const { id } = contaPedida(await ler(async (dominio) => dominio.cobradores.listar()), pedida);
      if (!provaRecente(sessao.sessao, agora) || !provaPorFatorRecente(sessao.sessao, agora)) {
        throw new Recusa('prova_exigida');
      }
      if (arquivo === null) faltaEm('certificado', 'escolha o arquivo do certificado');
      const lido = await servicos.lerPfx(await readFile(arquivo.path), comoTexto(dados['senha']));
      await servicos.psp.guardarCertificado(ator, sessao.provedor.id, id, lido);
      return { ir: doPsp(id), feito: 'certificado_guardado' };
    },
  }),
];

const SECRETOS = ['client_id', 'client_secret', 'chave_do_aplicativo'];

const comNulos = (dados: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(dados).map(([nome, valor]) => [nome, valor === '' ? null : valor]));

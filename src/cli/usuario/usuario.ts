import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import type { LinkEnviado } from '../../domain/usuarios/usuarios.service.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import type { Servicos, Sessao } from '../sessao.ts';

interface OpcoesDoConvite {
  email: string;
  nome?: string;
  perfil: string;
  json?: boolean;
}

/** Id of a profile by its name, or by the name of those that come made. */
async function perfilDe({ perfis }: Servicos, provedorId: number, dito: string): Promise<number> {
  const todos = await perfis.listar(provedorId);
  const nome = dito.toLowerCase();
  const perfil = todos.find((um) => um.deFabrica === nome || um.nome.toLowerCase() === nome);
  if (perfil !== undefined) return perfil.id;
  throw new EntradaInvalida(`perfil: não há ${dito}; há ${todos.map((um) => um.deFabrica ?? um.nome).join(', ')}`);
}

async function usuarioDe({ usuarios }: Servicos, provedorId: number, email: string): Promise<number> {
  const usuario = (await usuarios.listar(provedorId)).find((um) => um.email === email.toLowerCase());
  if (usuario === undefined) throw new EntradaInvalida(`o provedor ${provedorId} não tem usuário com este e-mail`);
  return usuario.id;
}

const dito = ({ usuarioId: id, url, expiraEm, enviado }: LinkEnviado) => ({
  id,
  link: url,
  expira_em: expiraEm,
  enviado,
});

/** `malha usuario …` */
export function comandosDeUsuario(programa: Command, sessao: Sessao): void {
  const usuario = grupo(programa.command('usuario')).description('quem entra no painel de um provedor');

  comando(usuario.command('convidar'))
    .usage('<provedor> [opções]')
    .description('convida alguém para o painel; o link vale 72 horas e é mostrado uma única vez')
    .argument('<provedor>', 'id do provedor', inteiro)
    .requiredOption('--email <email>', 'e-mail com que vai entrar')
    .option('--nome <nome>', 'nome; sem ele, o começo do e-mail')
    .requiredOption('--perfil <perfil>', 'administrador, financeiro, atendimento, tecnico, ou o nome de outro perfil')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { email, nome, perfil, json }: OpcoesDoConvite) => {
      await sessao.comContainer(async (servicos) => {
        const provedor = await servicos.provedores.exigirPorId(id);
        const perfil_id = await perfilDe(servicos, id, perfil);
        const dados = { email, nome: nome ?? email.split('@')[0], perfil_id };
        const link = await servicos.usuarios.convidar(TERMINAL, provedor, dados);
        sessao.mostrar(json, dito(link), [`Usuário ${link.usuarioId} convidado. O link vale 72 horas:`, link.url]);
      });
    });

  comando(usuario.command('listar'))
    .usage('<provedor> [opções]')
    .description('lista os usuários de um provedor')
    .argument('<provedor>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ provedores, usuarios }) => {
        await provedores.exigirPorId(id);
        const todos = (await usuarios.listar(id)).map(({ perfil, temFator, entrouEm, ...um }) => ({
          ...um,
          perfil: perfil.nome,
          tem_fator: temFator,
          entrou_em: entrouEm,
        }));
        const linhas = todos.map((um) => {
          const fator = um.tem_fator ? 'com segundo fator' : 'sem segundo fator';
          return `${um.id}  ${um.nome}  ${um.email}  ${um.perfil}  ${um.situacao}  ${fator}`;
        });
        sessao.mostrar(json, todos, linhas);
      });
    });

  comando(usuario.command('redefinir'))
    .usage('<provedor> [opções]')
    .description('faz um link de senha nova, que vale 30 minutos; --fator tira os segundos fatores')
    .argument('<provedor>', 'id do provedor', inteiro)
    .requiredOption('--email <email>', 'e-mail do usuário')
    .option('--fator', 'tira também os segundos fatores e encerra as sessões')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { email, fator, json }: { email: string; fator?: boolean; json?: boolean }) => {
      await sessao.comContainer(async (servicos) => {
        const provedor = await servicos.provedores.exigirPorId(id);
        const usuarioId = await usuarioDe(servicos, id, email);
        if (fator === true) await servicos.usuarios.redefinirFator(TERMINAL, id, usuarioId);
        const link = await servicos.usuarios.redefinirSenha(TERMINAL, provedor, usuarioId);
        sessao.mostrar(json, { ...dito(link), sem_fator: fator === true }, [
          ...(fator === true ? ['Segundos fatores retirados.'] : []),
          `Link de senha do usuário ${usuarioId}, até ${link.expiraEm.toISOString()}:`,
          link.url,
        ]);
      });
    });

  comando(usuario.command('desativar'))
    .usage('<provedor> [opções]')
    .description('desativa um usuário: sai na hora e não entra mais')
    .argument('<provedor>', 'id do provedor', inteiro)
    .requiredOption('--email <email>', 'e-mail do usuário')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { email, json }: { email: string; json?: boolean }) => {
      await sessao.comContainer(async (servicos) => {
        await servicos.provedores.exigirPorId(id);
        const usuarioId = await usuarioDe(servicos, id, email);
        const mudou = await servicos.usuarios.desativar(TERMINAL, id, usuarioId);
        const linha = mudou ? `Usuário ${usuarioId} desativado.` : `O usuário ${usuarioId} já estava desativado.`;
        sessao.mostrar(json, { id: usuarioId, desativado: true }, [linha]);
      });
    });
}

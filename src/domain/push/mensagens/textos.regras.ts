import { escreverHorario } from '../../../brazil/calendario/horario.ts';

/** What of a client changed, by its field. */
export const CONTATOS: Readonly<Record<string, string>> = { email: 'o e-mail', telefones: 'os telefones' };

/** To who was given another password. */
export const SENHA = 'A senha do seu acesso ao app foi escolhida ou trocada. Se não foi você, fale com o provedor.';

/** To who is signed in elsewhere, too. */
export const APARELHO_NOVO =
  'Alguém entrou com o seu acesso num aparelho novo. Se não foi você, troque a senha e fale com o provedor.';

/** To who was signed out because a token was used twice. */
export const REUSO =
  'Uma sessão sua foi encerrada, porque alguém pode ter copiado o acesso. Entre de novo, e troque a senha.';

/** As people say it: 25/11 às 09:00. */
export function quando(fuso: string, instante: Date): string {
  const [dia = '', hora = ''] = escreverHorario(fuso, instante).split('T');
  return `${dia.slice(8)}/${dia.slice(5, 7)} às ${hora}`;
}

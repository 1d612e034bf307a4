import{t as m}from"./chunk-574SZA5L.js";import{m as e}from"./chunk-WDG7WBN4.js";var n=null;function l(){return n??=new m(e),n}export{l as a};

import{g as m}from"./chunk-S33TK2UF.js";import{j as e}from"./chunk-FTK7LPXG.js";var n=null;function l(){return n??=new m(e),n}export{l as a};

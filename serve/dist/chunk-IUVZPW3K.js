import{g as m}from"./chunk-ESD2L6OT.js";import{j as e}from"./chunk-KKWGTGZW.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
